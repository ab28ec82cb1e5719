/* Shows the state document that the bridge sends every second. The bridge judges; this page repeats its words. */

import {SYMBOLS, byId, clock, dress, levelOf, say, span} from './words.js';
import {showFlow} from './flow.js';
import {showTables} from './tables.js';
import {startTrends} from './trends.js';

const STALE_MILLIS = 4000;
const RATE_DOCUMENTS = 5;

/* ---- numbers of all streams, and rates: from the difference of the last few documents ---- */

const lately = [];

/** The sum over the streams that are shown beside it, so that the two always agree. */
const total = (state, key) => (state.streams || []).reduce((sum, stream) => sum + stream[key], 0);

function remember(state) {
  const last = lately[lately.length - 1];
  if (last && last.bridge.started !== state.bridge.started) lately.length = 0;
  lately.push(state);
  if (lately.length > RATE_DOCUMENTS) lately.shift();
  const first = lately[0];
  const seconds = (new Date(state.bridge.now) - new Date(first.bridge.now)) / 1000;
  const received = (document, name) =>
    ((document.streams || []).find((stream) => stream.name === name) || {}).received;
  return {
    total: (key) => total(state, key),
    of(section, key) {
      if (seconds <= 0) return null;
      const value = section === 'journey'
        ? (document) => total(document, key) : (document) => received(document, key);
      return Math.max(0, value(state) - value(first)) / seconds;
    },
  };
}

/* ---- the connection ---- */

let heardAt = 0;
let polling = null;
let source = null;

function show(state) {
  heardAt = Date.now();
  document.body.classList.remove('lost');
  document.title = 'bridge ' + state.bridge.name + ' – Duplog';
  say(byId('bridge-name'), 'bridge ' + state.bridge.name);
  say(byId('facts'), 'version ' + state.bridge.version + ', up ' + span(state.bridge.uptime_seconds));
  if (state.health) badge(levelOf(state.health), state.health.summary);
  const rates = remember(state);
  showFlow(state, rates);
  showTables(state, rates);
  showAge();
  document.body.dataset.shown = state.bridge.now;
}

function badge(level, text) {
  dress(byId('overall'), 'badge is-' + level);
  say(byId('overall'), SYMBOLS[level] + ' ' + text);
}

/** Says how old the numbers are; if they are too old, all of them turn grey. */
function showAge() {
  const age = Date.now() - heardAt;
  if (heardAt > 0) say(byId('updated'), 'updated ' + Math.floor(age / 1000) + ' s ago');
  if (age > STALE_MILLIS) {
    document.body.classList.add('lost');
    badge('lost', heardAt === 0 ? 'The bridge does not answer.'
      : 'No updates since ' + clock(heardAt) + ': the numbers below are old. The bridge or the connection to it is down.');
  }
}

function stopPolling() {
  clearInterval(polling);
  polling = null;
}

function poll() {
  fetch('api/state', {cache: 'no-store'}).then((answer) => answer.json()).then(show).catch(() => {});
}

function listen() {
  source = new EventSource('api/events');
  source.onmessage = (event) => {
    stopPolling();
    show(JSON.parse(event.data));
  };
  source.onerror = () => {
    if (!polling) polling = setInterval(poll, 2000);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 10000);
  };
}

setInterval(showAge, 1000);
listen();
startTrends();
