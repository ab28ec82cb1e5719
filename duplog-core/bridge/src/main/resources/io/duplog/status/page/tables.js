/* The tables. Their rows are kept and rewritten in place, so that nothing is lost that a reader selected. */

import {SYMBOLS, byId, clock, count, dress, levelOf, percent, rateText, say, span} from './words.js';

/** A cell: text, class, and whether it heads its row. */
const cell = (text, style = '', head = false) => ({text, style, head});
const levelCell = (level) => cell(SYMBOLS[level] + ' ' + level, 'word is-' + level);

/** A cell with a sentence and, if there is one, a link to the section that says what to do. */
const adviceCell = (text, runbook, subject) => ({text, style: 'text', runbook, subject});

const RANK = {down: 0, degraded: 1, attention: 2, ok: 3};

/** What is not ok comes first, so that it is in sight. */
const worstFirst = (rows) => [...rows].sort((one, other) => RANK[levelOf(one)] - RANK[levelOf(other)]);

function write(field, wanted) {
  dress(field, wanted.style);
  for (const key of ['count', 'stream']) {
    if (wanted[key]) field.dataset[key] = wanted[key]; else delete field.dataset[key];
  }
  if (!wanted.runbook) {
    say(field, wanted.text);
    return;
  }
  let link = field.querySelector('a');
  if (!link) {
    field.textContent = '';
    link = document.createElement('a');
    field.append(document.createElement('span'), ' ', link);
  }
  say(field.firstChild, wanted.text);
  say(link, 'What to do about ' + wanted.subject);
  const target = 'docs/' + wanted.runbook;
  if (link.getAttribute('href') !== target) link.setAttribute('href', target);
}

function fill(body, rows, nothing) {
  const shown = rows.length > 0 ? rows : nothing ? [{cells: [cell(nothing, 'none')]}] : [];
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
      write(field, wanted);
      if (rows.length === 0) field.colSpan = 9; else field.removeAttribute('colspan');
    });
    while (line.cells.length > row.cells.length) line.deleteCell(-1);
  });
}

function showComponents(state) {
  const parts = worstFirst(state.health ? state.health.parts : []);
  fill(byId('components-rows'), parts.map((part) => ({cells: [
    cell(part.name, 'word', true), levelCell(levelOf(part)),
    adviceCell(part.detail, part.runbook, part.name)]})), 'Nothing is known yet');
}

function showBridges(state) {
  const bridges = state.bridges;
  say(byId('bridges-sentence'), bridges ? bridges.sentence : '');
  fill(byId('bridges-rows'), (bridges ? bridges.bridges : []).map((bridge) => ({cells: [
    cell('bridge ' + bridge.name + (bridge.name === state.bridge.name ? ' (this one)' : ''), 'word', true),
    levelCell(levelOf(bridge)), cell(bridge.version || '–', 'word'),
    cell(rateText(bridge.received_per_second), 'number'), cell(rateText(bridge.delivered_per_second), 'number'),
    adviceCell(bridge.detail, bridge.runbook, 'bridge ' + bridge.name)]})), 'Nothing is known yet');
}

/** The law: received is the sum of all ends and of what is in flight. Rows of zeros are folded away. */
function showLedger(state, rates) {
  const streams = state.streams || [];
  const titles = ['Copies', ...streams.map((stream) => 'stream ' + stream.name), 'All streams', 'Now'];
  for (const head of document.querySelectorAll('#ledger thead tr')) {
    while (head.cells.length > titles.length) head.deleteCell(-1);
    titles.forEach((title, at) => {
      if (!head.cells[at]) {
        head.append(document.createElement('th'));
        head.cells[at].scope = 'col';
      }
      dress(head.cells[at], at === 0 ? '' : 'number');
      say(head.cells[at], title);
    });
  }
  const row = ([key, name]) => ({
    style: key === 'received' ? 'total' : '',
    cells: [
      cell(name, 'word', true),
      ...streams.map((stream) => ({...cell(count(stream[key]), 'number'), count: key, stream: stream.name})),
      {...cell(count(rates.total(key)), 'number'), count: key, stream: '*'},
      cell(key === 'in_flight' ? '' : rateText(rates.of('journey', key)), 'number'),
    ],
  });
  const ends = state.ends.map(({key, words}) => [key, words]);
  const always = ['kept', 'dropped'];
  const isShown = ([key]) => always.includes(key) || streams.some((stream) => stream[key] > 0);
  const sum = [...ends.filter(isShown), ['in_flight', 'in flight']]
    .map(([key, name], at) => [key, (at === 0 ? '= ' : '+ ') + name]);
  fill(byId('ledger-rows'), [['received', 'received'], ...sum].map(row));
  const zeros = ends.filter((end) => !isShown(end));
  fill(byId('zero-rows'), zeros.map(([key, name]) => row([key, '+ ' + name])));
  byId('zeros').hidden = zeros.length === 0;
  say(byId('zeros-title'), 'All counts: ' + zeros.length + ' more, which are 0');
  say(byId('ledger-since'), 'since this bridge started at ' + clock(state.bridge.started));
}

function showCoverage(state) {
  const coverage = state.coverage;
  const streams = coverage && coverage.streams || [];
  const rows = [];
  for (const stream of streams) {
    rows.push(coverageRow('stream ' + stream.stream, stream, 'total is-' + levelOf(stream)));
    for (const sender of stream.senders || []) rows.push(coverageRow(sender.sender, sender, 'sender'));
  }
  fill(byId('coverage-rows'), rows, coverage ? 'No numbers yet' : 'Not measured');
  const sentences = streams.filter((stream) => stream.sentence).map((stream) => ({cells: [
    adviceCell(SYMBOLS[levelOf(stream)] + ' ' + stream.sentence, stream.runbook, 'stream ' + stream.stream)]}));
  for (const {sentence, runbook, one, other} of coverage && coverage.mismatches || []) {
    sentences.push({cells: [adviceCell(SYMBOLS.attention + ' ' + sentence, runbook, one + ' and ' + other)]});
  }
  fill(byId('coverage-sentences'), sentences, coverage && coverage.sentence || '');
  say(byId('coverage-why'), coverage ? why(coverage, state) : '');
}

/** Says why these numbers are not those of the other tables: they settle later, and of all bridges. */
function why(coverage, state) {
  const window = span(coverage.dedup_window_seconds || state.bridge.window_seconds);
  const until = coverage.settled_until ? 'up to ' + clock(coverage.settled_until) : 'none yet';
  let text = 'Messages of all bridges, not copies of this one. A message is settled ' + window
    + ' after it came, because another stream may still bring it. So the newest are not in: settled are ' + until + '.';
  for (const {stream, node} of coverage.streams || []) {
    if (node && node.dropped > 0) {
      text += ' The kernel of ' + stream + '\u2019s node dropped ' + count(node.dropped) + ' datagrams.';
    }
    if (node && node.discarded > 0) {
      text += ' The queues of ' + stream + '\u2019s rsyslog discarded ' + count(node.discarded) + ' messages.';
    }
  }
  const lost = coverage.lost_by_all;
  if (lost && lost.high >= 1) {
    text += ' Estimated to be lost on both streams: ' + count(Math.round(lost.messages)) + ' ('
      + count(Math.floor(lost.low)) + ' to ' + count(Math.ceil(lost.high))
      + '), higher if both lose messages at the same time, lower if they take turns.';
  }
  return text;
}

function coverageRow(name, counts, style) {
  return {style, cells: [
    cell(name, 'text', true), cell(count(counts.messages), 'number'), cell(count(counts.missed), 'number'),
    cell(percent(counts.missed_percent), 'number')]};
}

/** The concerns about senders as the bridge words them; `duplog senders` names all senders. */
function showSenders(state) {
  const senders = state.senders;
  const rows = worstFirst(senders && senders.concerns || []).filter((concern) => concern.count > 0)
    .flatMap((concern) => [
      {style: 'total', cells: [cell(concern.name, 'word', true), levelCell(levelOf(concern)),
        adviceCell(concern.sentence, levelOf(concern) === 'ok' ? null : concern.runbook, concern.name)]},
      ...(concern.some || []).map((each) => ({style: 'sender', cells: [
        cell(each.sender, 'word', true), cell(''), cell(each.sentence, 'text')]}))]);
  fill(byId('senders-rows'), rows,
    !senders ? 'Not measured' : senders.concerns ? 'Nobody needs attention' : '`duplog senders` lists them');
  say(byId('senders-known'), senders ? count(senders.known) + ' known' : '');
}

function showLag(state) {
  const lag = state.lag;
  fill(byId('lag-rows'), (lag && lag.streams || []).map((stream) => ({cells: [
    cell('stream ' + stream.stream, 'word', true), cell(stream.state || '–', 'word'),
    cell(stream.age_seconds == null ? '–' : span(stream.age_seconds) + ' ago', 'number'),
    cell(count(stream.depth), 'number'),
    cell(stream.heartbeat_age_seconds == null ? '–' : span(stream.heartbeat_age_seconds) + ' ago', 'number'),
  ]})), lag ? 'Nothing is known yet' : 'Not measured');
  say(byId('lag-skew'), lag && lag.skew_seconds != null ? 'streams apart by ' + span(lag.skew_seconds) : '');
}

function showWarnings(state) {
  fill(byId('warnings-rows'), (state.warnings || []).map((line) => ({cells: [
    cell(clock(line.at), 'when'), cell(line.level, 'word'),
    cell(line.text + (line.times > 1 ? ' (' + count(line.times) + ' times)' : ''), 'text'),
  ]})), 'None since the bridge started');
}

function showPeriods(state) {
  const now = new Date(state.bridge.now);
  fill(byId('periods-rows'), (state.degraded || []).map((period) => {
    const seconds = (new Date(period.to || now) - new Date(period.from)) / 1000;
    return {cells: [
      cell(period.part, 'word', true), cell(clock(period.from), 'when'),
      cell(span(Math.max(0, seconds)) + (period.to ? '' : ', lasting'), 'number'), cell(period.cause, 'text')]};
  }), 'None since the bridge started');
}

export function showTables(state, rates) {
  showComponents(state);
  showBridges(state);
  showLedger(state, rates);
  showCoverage(state);
  showSenders(state);
  showLag(state);
  showWarnings(state);
  showPeriods(state);
}
