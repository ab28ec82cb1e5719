/* The picture of the data flow: drawn once for these streams, then only its texts and classes change. */

import {SYMBOLS, byId, count, dress, levelOf, rateText, say} from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const picture = {streams: null, parts: {}};

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
    x: x1 + 10, y: down ? (y1 + y2) / 2 + 4 : (y2 < y1 ? y1 + 19 : y1 - 9),
    'text-anchor': 'start', 'class': 'rate'}, svg);
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
    drawBox('stream box ' + stream.name, 196, y - 36, 172, 72, 'stream ' + stream.name);
  });
  drawBox('senders', 4, middle - 36, 108, 72, 'senders');
  drawWire('compared', 601, middle - 36, 601, 77);
  drawWire('delivered', 682, middle, 812, middle);
  drawBox('bridge', 520, middle - 36, 162, 72, '');
  drawBox('store', 520, 4, 162, 72, '');
  drawBox('sink', 812, middle - 36, 164, 72, '');
}

function paint(key, level, lines) {
  const parts = picture.parts[key];
  dress(parts.box, 'box' + (level ? ' is-' + level : ''));
  if (lines.name != null) say(parts.name, lines.name);
  say(parts.state, lines.state || '');
  dress(parts.state, 'small' + (level ? ' is-' + level : ''));
  say(parts.more, lines.more || '');
}

function flow(key, rate, text) {
  const parts = picture.parts[key];
  const style = rate > 0 ? ' flows' : '';
  dress(parts.wire, 'wire' + style);
  dress(parts.tip, 'tip' + style);
  say(parts.label, text == null ? '' : text);
}

export function showFlow(state, rates) {
  const streams = state.streams || [];
  drawPicture(streams);
  paint('senders', '', {state: 'syslog'});
  for (const stream of streams) {
    const rate = rates.of('streams', stream.name);
    paint('stream box ' + stream.name, levelOf(stream), {
      state: SYMBOLS[levelOf(stream)] + ' broker ' + (stream.connected ? 'connected' : 'not connected'),
      more: stream.broker});
    flow('sent ' + stream.name, rate, '');
    flow('stream ' + stream.name, rate, rateText(rate));
  }
  paint('bridge', '', {
    name: 'bridge ' + state.bridge.name, state: rateText(rates.of('journey', 'dropped')) + ' duplicates removed',
    more: count(rates.total('in_flight')) + ' copies in flight'});
  const standIn = (state.fallbacks || []).find((each) => each.asked);
  paint('store', levelOf(state.store), {
    name: state.store.kind === 'redis' ? 'Redis' : 'memory',
    state: SYMBOLS[levelOf(state.store)] + (state.store.available ? ' connected'
      : standIn ? ' replaced: ' + standIn.kind : ' unavailable'),
    more: state.store.address || 'in this process'});
  const batches = state.store.available ? rates.of('journey', 'batches') : 0;
  flow('compared', batches, rateText(batches).replace('/s', ' batches/s'));
  paint('sink', levelOf(state.sink), {
    name: state.sink.kind === 'hec' ? 'Splunk HEC' : state.sink.kind,
    state: SYMBOLS[levelOf(state.sink)] + (state.sink.available ? ' accepts' : ' accepts nothing'),
    more: count(rates.total('delivered')) + ' delivered'});
  const delivered = rates.of('journey', 'delivered');
  flow('delivered', delivered, rateText(delivered));
}
