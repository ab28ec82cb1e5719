/* Shows the state document that the bridge sends every second. Needs nothing but the browser. */
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const SYMBOLS = {'well': '●', 'degraded': '▲', 'not-ready': '■', 'lost': '✕'};
const WORDS = {'well': 'well', 'degraded': 'degraded', 'not-ready': 'not ready'};
const STALE_MILLIS = 4000;
const RATE_DOCUMENTS = 5;

/** The lines of the ledger: received is the sum of all the others. */
const ledger = (state) => [
  ['received', 'Received'],
  ...state.ends.map(({key, words}, at) => [key, (at === 0 ? '= ' : '+ ') + words]),
  ['in_flight', '+ in flight'],
];

const byId = (id) => document.getElementById(id);
const count = (number) => number == null ? '–' : Math.round(number).toLocaleString('en');
const percent = (number) => number == null ? '–' : number.toFixed(number < 10 ? 2 : 1) + ' %';

function rateText(number) {
  return number == null ? '–' : (number > 0 && number < 10 ? number.toFixed(1) : count(number)) + '/s';
}

function span(seconds) {
  if (seconds == null) return '–';
  if (seconds < 10) return seconds.toFixed(1) + ' s';
  if (seconds < 120) return Math.round(seconds) + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  if (seconds < 172800) return Math.round(seconds / 3600) + ' h';
  return Math.round(seconds / 86400) + ' d';
}

function clock(text) {
  const at = new Date(text);
  const time = at.toLocaleTimeString('en-GB');
  return at.toDateString() === new Date().toDateString()
    ? time : at.toLocaleDateString('sv').slice(5) + ' ' + time; // Swedish dates are those of ISO
}

/** Writes only what differs: a screen reader hears no news where there is none. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function dress(element, name) {
  if (element.getAttribute('class') !== name) element.setAttribute('class', name);
}

/* ---- tables: rows are kept and rewritten in place ---- */

/** A cell: text, class, and whether it heads its row. */
const cell = (text, style = '', head = false) => ({text, style, head});

function fill(body, rows, nothing) {
  const shown = rows.length > 0 ? rows : [{cells: [cell(nothing, 'none')]}];
  while (body.rows.length > shown.length) body.deleteRow(-1);
  shown.forEach((row, index) => {
    const line = body.rows[index] || body.insertRow();
    dress(line, row.style || '');
    row.cells.forEach((wanted, at) => {
      const tag = wanted.head ? 'TH' : 'TD';
      let field = line.cells[at];
      if (!field || field.tagName !== tag) {
        const made = document.createElement(tag);
        if (wanted.head) made.scope = 'row';
        if (field) field.replaceWith(made); else line.append(made);
        field = made;
      }
      dress(field, wanted.style);
      say(field, wanted.text);
      for (const key of ['count', 'stream']) {
        if (wanted[key]) field.dataset[key] = wanted[key]; else delete field.dataset[key];
      }
      if (rows.length === 0) field.colSpan = 9; else field.removeAttribute('colspan');
    });
    while (line.cells.length > row.cells.length) line.deleteCell(-1);
  });
}

const stateCell = (state) =>
  cell((SYMBOLS[state] || '○') + ' ' + (WORDS[state] || state || '–'), 'word is-' + state);

/** What is not well comes first, so that it is in sight. */
function showParts(state) {
  const rank = {'not-ready': 0, 'degraded': 1, 'well': 2};
  const parts = [...(state.health ? state.health.parts : [])]
    .sort((one, other) => rank[one.state] - rank[other.state]);
  fill(byId('parts-rows'), parts.map((part) => ({
    cells: [cell(part.name, 'word', true), stateCell(part.state), cell(part.detail, 'text')],
  })), 'Nothing is known yet');
}

function showLedger(state, rates) {
  const streams = state.streams || [];
  const head = byId('ledger-head');
  const titles = ['Copies', ...streams.map((stream) => stream.name), 'All streams', 'Now'];
  while (head.cells.length > titles.length) head.deleteCell(-1);
  titles.forEach((title, at) => {
    let field = head.cells[at];
    if (!field) {
      field = document.createElement('th');
      field.scope = 'col';
      head.append(field);
    }
    dress(field, at === 0 ? '' : 'number');
    say(field, title);
  });
  fill(byId('ledger-rows'), ledger(state).map(([key, name]) => ({
    style: key === 'received' ? 'total' : (state.journey[key] ? '' : 'zero'),
    cells: [
      cell(name, 'word', true),
      ...streams.map((stream) => ({...cell(count(stream[key]), 'number'), count: key, stream: stream.name})),
      {...cell(count(state.journey[key]), 'number'), count: key, stream: '*'},
      cell(key === 'in_flight' ? '' : rateText(rates.of('journey', key)), 'number'),
    ],
  })), '');
}

function showCoverage(state) {
  const coverage = state.coverage;
  const streams = coverage && coverage.streams || [];
  const uncompared = coverage && coverage.not_compared || 0;
  const rows = [];
  for (const stream of streams) {
    rows.push(coverageRow(stream.stream, stream, 'total', uncompared));
    for (const sender of stream.senders || []) rows.push(coverageRow(sender.sender, sender, 'sender', uncompared));
  }
  fill(byId('coverage-rows'), rows, coverage ? 'Nothing is settled yet' : 'Not measured');
  say(byId('coverage-window'),
    coverage && coverage.window_seconds ? 'in the last ' + span(coverage.window_seconds) : '');
  const worst = streams.filter((stream) => stream.missed > 0)
    .sort((one, other) => other.missed_percent - one.missed_percent)[0];
  let line = streams.length > 0 ? 'No stream missed anything.' : '';
  if (worst) {
    const sender = (worst.senders || []).filter((each) => each.missed > 0)
      .sort((one, other) => other.missed - one.missed)[0];
    const sure = worst.missed_at_least;
    const certain = uncompared === 0 || sure === worst.missed;
    line = worst.stream + ' missed '
      + (certain ? '' : sure > 0 ? percent(100 * sure / worst.messages) + ' to ' : 'at most ')
      + percent(worst.missed_percent)
      + (certain || sure > 0 ? sender ? ', most of it from ' + sender.sender : '' : ', perhaps nothing') + '.';
  }
  for (const {stream, node} of streams) {
    if (node && node.dropped > 0) {
      line += ' The kernel of ' + stream + '\u2019s node dropped ' + count(node.dropped) + ' datagrams.';
    }
    if (node && node.discarded > 0) {
      line += ' The queues of ' + stream + '\u2019s rsyslog discarded ' + count(node.discarded) + ' messages.';
    }
  }
  if (uncompared > 0 && streams.length > 0) {
    line += ' Incomplete: up to ' + count(uncompared) + ' messages could not be compared.';
  }
  const lost = coverage && coverage.lost_by_all;
  if (lost && lost.high >= 1) {
    line += ' Estimated to be lost on both ways: ' + count(Math.round(lost.messages)) + ' ('
      + count(Math.floor(lost.low)) + ' to ' + count(Math.ceil(lost.high)) + '), more if both lose together, less if in turns.';
  }
  const missing = coverage && coverage.ledger_parts_missing || [];
  if (missing.length > 0) {
    line += ' Without the messages of part ' + missing.map((each) => each.part).join(', ')
      + ' of the ledger\u2019s ' + coverage.ledger_parts + ', for all or some of that time.';
  }
  say(byId('coverage-summary'), line);
}

/* What may be of those that could not be compared is nobody's loss for sure. */
function coverageRow(name, counts, style, uncompared) {
  return {style, cells: [
    cell(name, 'text', true), cell(count(counts.messages), 'number'),
    cell(count(counts.missed), 'number'),
    cell(percent(counts.missed_percent), 'number' + (counts.missed > uncompared ? ' is-degraded' : '')),
  ]};
}

/** Some of the senders that need attention; `duplog senders` names all of them. */
function showSenders(state) {
  const senders = state.senders;
  const some = (name) => senders && senders['some_' + name] || [];
  const row = (sender, word, why) => ({cells: [
    cell(sender, 'text', true), cell(word, 'word is-degraded'), cell(why, 'text')]});
  const rows = [
    ...some('silent').flatMap(({sender, paths}) => paths.filter((path) => path.state === 'silent')
      .map((path) => row(sender, 'silent', 'on ' + path.stream + ' since ' + clock(path.last) + '; '
        + count(path.missed_since) + ' copies came by others'))),
    ...some('gone').map(({sender, since, reason}) => row(sender, 'gone', 'on all paths since ' + clock(since)
      + '; ' + reason)),
    ...some('changed').map(({sender, state: word, messages, usual}) => row(sender, word, count(messages)
      + (word === 'loud' ? ' messages in an hour, at most ' : ' messages on the last day, usually ') + count(usual)
      + (word === 'loud' ? ' before' : ''))),
    ...some('unheard').map((sender) => row(sender, 'unheard', 'expected, and no stream brought it')),
  ];
  fill(byId('senders-rows'), rows, senders ? 'Nobody needs attention' : 'Not measured');
  say(byId('senders-known'), senders ? count(senders.known) + ' known'
    + ['silent', 'gone', 'loud', 'slow', 'unheard'].filter((word) => senders[word] > 0)
      .map((word) => ', ' + count(senders[word]) + ' ' + word).join('') : '');
}

function showLag(state) {
  const lag = state.lag;
  fill(byId('lag-rows'), (lag && lag.streams || []).map((stream) => ({cells: [
    cell(stream.stream, 'word', true), cell(span(stream.age_seconds), 'number'),
    cell(count(stream.depth), 'number'), cell(span(stream.heartbeat_age_seconds), 'number'),
    cell(stream.state || '–', 'word'),
  ]})), lag ? 'Nothing is known yet' : 'Not measured');
  say(byId('lag-skew'), lag && lag.skew_seconds != null ? 'streams apart by ' + span(lag.skew_seconds) : '');
}

function showWarnings(state) {
  fill(byId('warnings-rows'), (state.warnings || []).map((line) => ({cells: [
    cell(clock(line.at), 'when'), cell(line.level, 'word'),
    cell(line.text + (line.times > 1 ? ' (' + count(line.times) + ' times)' : ''), 'text'),
  ]})), 'None since the bridge started');
}

function showDegraded(state) {
  const now = new Date(state.bridge.now);
  fill(byId('degraded-rows'), (state.degraded || []).map((period) => {
    const seconds = (new Date(period.to || now) - new Date(period.from)) / 1000;
    return {cells: [
      cell(period.part, 'word', true), cell(clock(period.from), 'when'),
      cell(span(Math.max(0, seconds)) + (period.to ? '' : ', lasting'), 'number'),
      cell(period.cause, 'text'),
    ]};
  }), 'None since the bridge started');
}

/* ---- the picture: drawn once for these streams, then only its texts and classes change ---- */

const picture = {streams: '', parts: {}};

function draw(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

function drawBox(key, x, y, width, height, name) {
  const svg = byId('picture');
  const middle = x + width / 2;
  const text = (dy, style) =>
    draw('text', {x: middle, y: y + dy, 'text-anchor': 'middle', 'class': style}, svg);
  const box = draw('rect', {x, y, width, height, rx: 8, 'class': 'box'}, svg);
  const parts = {box, name: text(22, 'name'), state: text(40, 'small'), more: text(57, 'small')};
  parts.name.textContent = name;
  picture.parts[key] = parts;
}

function drawWire(key, x1, y1, x2, y2) {
  const svg = byId('picture');
  const bend = (x2 - x1) / 2;
  const path = y1 === y2 || x1 === x2
    ? `M${x1} ${y1}L${x2} ${y2}` : `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const wire = draw('path', {d: path, 'class': 'wire'}, svg);
  const down = x1 === x2;
  const tip = draw('path', {
    d: down ? `M${x2 - 4} ${y2 + 8}h8l-4 -8z` : `M${x2 - 9} ${y2 - 4.5}v9l9 -4.5z`, 'class': 'tip'}, svg);
  const label = draw('text', {
    x: x1 + 10, y: down ? (y1 + y2) / 2 + 4 : (y2 < y1 ? y1 + 19 : y1 - 9), 'text-anchor': 'start', 'class': 'rate'}, svg);
  picture.parts[key] = {wire, tip, label};
}

function drawPicture(streams) {
  const names = streams.map((stream) => stream.name).join('\n');
  if (picture.streams === names) return;
  const svg = byId('picture');
  while (svg.lastElementChild.tagName !== 'desc') svg.lastElementChild.remove();
  picture.streams = names;
  picture.parts = {};
  const height = Math.max(290, 46 + streams.length * 92);
  svg.setAttribute('viewBox', `0 0 980 ${height}`);
  const middle = 46 + (height - 46) / 2;
  streams.forEach((stream, index) => {
    const y = 46 + (height - 46) * (index + 0.5) / streams.length;
    drawWire('sent ' + stream.name, 112, middle, 196, y);
    drawWire('stream ' + stream.name, 368, y, 520, middle);
    drawBox('node ' + stream.name, 196, y - 36, 172, 72, stream.name);
  });
  drawBox('senders', 4, middle - 36, 108, 72, 'senders');
  drawWire('asked', 601, middle - 36, 601, 77);
  drawWire('delivered', 682, middle, 812, middle);
  drawBox('bridge', 520, middle - 36, 162, 72, '');
  drawBox('store', 520, 4, 162, 72, '');
  drawBox('sink', 812, middle - 36, 164, 72, '');
}

function paint(key, state, lines) {
  const parts = picture.parts[key];
  dress(parts.box, 'box' + (state ? ' is-' + state : ''));
  if (lines.name != null) say(parts.name, lines.name);
  say(parts.state, lines.state || '');
  dress(parts.state, 'small' + (state ? ' is-' + state : ''));
  say(parts.more, lines.more || '');
}

function flow(key, rate, text) {
  const parts = picture.parts[key];
  const style = rate > 0 ? ' flows' : '';
  dress(parts.wire, 'wire' + style);
  dress(parts.tip, 'tip' + style);
  say(parts.label, text == null ? '' : text);
}

function showPicture(state, rates) {
  const streams = state.streams || [];
  drawPicture(streams);
  paint('senders', '', {state: 'syslog'});
  for (const stream of streams) {
    const rate = rates.of('streams', stream.name);
    const word = stream.state === 'well' ? (stream.reading ? 'reading' : 'waiting') : WORDS[stream.state];
    paint('node ' + stream.name, stream.state, {
      state: SYMBOLS[stream.state] + ' broker ' + word, more: stream.broker});
    flow('sent ' + stream.name, rate, '');
    flow('stream ' + stream.name, rate, rateText(rate));
  }
  const dropped = rates.of('journey', 'dropped');
  const health = state.health ? state.health.state : 'well';
  paint('bridge', health === 'well' ? 'well' : '', {
    name: 'bridge', state: 'drops ' + rateText(dropped),
    more: count(state.journey.in_flight) + ' copies in flight'});
  const standIn = (state.fallbacks || []).find((each) => each.asked);
  paint('store', state.store.state, {
    name: state.store.kind === 'redis' ? 'Redis' : 'memory',
    state: SYMBOLS[state.store.state] + (state.store.available ? ' asked'
      : standIn ? ' replaced: ' + standIn.kind : ' passed by'),
    more: state.store.address || 'in this process'});
  flow('asked', state.store.available ? rates.of('journey', 'batches') : 0,
    rateText(state.store.available ? rates.of('journey', 'batches') : 0).replace('/s', ' batches/s'));
  paint('sink', state.sink.state, {
    name: state.sink.kind === 'hec' ? 'Splunk HEC' : state.sink.kind,
    state: SYMBOLS[state.sink.state] + (state.sink.available ? ' accepts' : ' accepts nothing'),
    more: count(state.journey.delivered) + ' delivered'});
  const delivered = rates.of('journey', 'delivered');
  flow('delivered', delivered, rateText(delivered));
}

/* ---- rates: from the difference of the last few documents ---- */

const lately = [];

function remember(state) {
  const last = lately[lately.length - 1];
  if (last && last.bridge.started !== state.bridge.started) lately.length = 0;
  lately.push(state);
  if (lately.length > RATE_DOCUMENTS) lately.shift();
  const first = lately[0];
  const seconds = (new Date(state.bridge.now) - new Date(first.bridge.now)) / 1000;
  const streamOf = (document, name) => (document.streams || []).find((stream) => stream.name === name);
  return {
    of(section, key) {
      if (seconds <= 0) return null;
      const value = section === 'journey'
        ? (document) => document.journey[key] : (document) => (streamOf(document, key) || {}).received;
      return Math.max(0, value(state) - value(first)) / seconds;
    },
  };
}

/* ---- the connection ---- */

let heardAt = 0;
let polling = null;
let source = null;

function show(state) {
  const rates = remember(state);
  heardAt = Date.now();
  document.body.classList.remove('lost');
  document.title = state.bridge.name + ' – Duplog';
  say(byId('bridge-name'), state.bridge.name);
  say(byId('facts'), 'version ' + state.bridge.version + ', up ' + span(state.bridge.uptime_seconds));
  const health = state.health || {state: 'well', parts: []};
  const unwell = health.parts.filter((part) => part.state !== 'well').map((part) => part.name);
  badge(health.state,
    health.state === 'well' ? 'All well'
      : (health.state === 'degraded' ? 'Ready, degraded: ' : 'Not ready: ') + unwell.join(', '));
  showPicture(state, rates);
  showParts(state);
  showLedger(state, rates);
  showCoverage(state);
  showSenders(state);
  showLag(state);
  showWarnings(state);
  showDegraded(state);
  document.body.dataset.shown = state.bridge.now;
}

function badge(state, text) {
  dress(byId('overall'), 'badge is-' + state);
  say(byId('overall'), SYMBOLS[state] + ' ' + text);
}

function checkStale() {
  if (Date.now() - heardAt > STALE_MILLIS) {
    document.body.classList.add('lost');
    badge('lost', heardAt === 0 ? 'No connection to the bridge'
      : 'Connection lost at ' + clock(new Date(heardAt).toISOString()) + ': these numbers are old');
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
  if (!window.EventSource) {
    polling = setInterval(poll, 2000);
    poll();
    return;
  }
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

setInterval(checkStale, 1000);
listen();
