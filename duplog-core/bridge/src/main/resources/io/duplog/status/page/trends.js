/* The trend lines. The bridge keeps the series; uPlot draws them. */

import {byId, count, percent, rateText, span} from './words.js';

const CHARTS = [
  {title: 'Received, by stream', names: ['received'], text: rateText, least: 1},
  {title: 'Delivered, and duplicates removed', names: ['delivered', 'removed'], text: rateText, least: 1},
  {title: 'Lag behind the sender, by stream', names: ['lag_seconds'], text: span, least: 1},
  {title: 'Missed in 5 settled minutes, by stream', names: ['missed_percent'], text: percent, least: 1},
];
const WORDS = {removed: 'duplicates removed'};
const DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const SHORTEST_SECONDS = 300;
const EVERY_MILLIS = 10000;
const HEIGHT = 120;

let range = '1h';
let answer = null;
let plots = [];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const lastKnown = (values) => [...values].reverse().find((value) => value != null);

/** The times of the points; those before the first known value are left out. */
function window(all) {
  const points = all.length > 0 ? all[0].values.length : 0;
  const until = Date.parse(answer.until) / 1000;
  const step = answer.step_seconds;
  const firsts = all.map((series) => series.values.findIndex((value) => value != null)).filter((at) => at >= 0);
  const shortest = Math.ceil(SHORTEST_SECONDS / step);
  const from = Math.max(0, Math.min(points - shortest, ...firsts));
  const times = Array.from({length: points - from}, (_, at) => until - step * (points - from - 1 - at));
  return {from, times};
}

function options(chart, all, width) {
  const axis = {stroke: colour('--soft'), grid: {stroke: colour('--line'), width: 1}, ticks: {show: false},
    font: '11px system-ui, sans-serif'};
  return {
    width, height: HEIGHT, legend: {show: false}, cursor: {show: false},
    scales: {y: {range: (_, low, high) => [0, Math.max(high || 0, chart.least) * 1.1]}},
    axes: [
      {...axis, size: 26, space: 70, values: (_, ticks) => ticks.map((tick) =>
        new Date(tick * 1000).toLocaleTimeString('en-GB').slice(0, 5))},
      {...axis, size: 62, space: 30, values: (_, ticks) => ticks.map((tick) => chart.text(tick))},
    ],
    series: [{}, ...all.map((_, at) => ({
      stroke: colour('--series-' + at % 8), width: 1.8, dash: DASHES[at % DASHES.length], points: {show: false}}))],
  };
}

/** The names with their lines and latest values: what the picture says, in words. */
function caption(figure, chart, all) {
  const list = figure.querySelector('ul');
  list.replaceChildren(...all.map((series, at) => {
    const item = document.createElement('li');
    const line = document.createElement('span');
    line.className = 'line series-' + at % 8 + ' dash-' + at % DASHES.length;
    const known = series.values.filter((value) => value != null);
    item.append(line, (series.stream ? 'stream ' + series.stream : WORDS[series.name] || series.name)
      + ': ' + chart.text(lastKnown(series.values))
      + (known.length > 0 ? ', at most ' + chart.text(Math.max(...known)) : ''));
    return item;
  }));
}

function drawAll() {
  plots.forEach((plot) => plot.destroy());
  plots = [];
  CHARTS.forEach((chart, index) => {
    const figure = byId('trends').querySelectorAll('figure')[index];
    const all = answer.series.filter((series) => chart.names.includes(series.name));
    figure.hidden = all.length === 0;
    if (all.length === 0) return;
    const {from, times} = window(all);
    const place = figure.querySelector('.plot');
    const data = [times, ...all.map((series) => series.values.slice(from))];
    plots.push(new uPlot(options(chart, all, place.clientWidth), data, place));
    caption(figure, chart, all);
  });
  byId('trends').dataset.shown = range;
}

function load() {
  fetch('api/trends?range=' + range, {cache: 'no-store'})
    .then((response) => response.ok ? response.json() : Promise.reject(response.status))
    .then((document) => {
      if (document.range !== range) return;
      answer = document;
      drawAll();
    })
    .catch(() => {}); // asked again soon; the badge tells of a lost connection
}

function choose(button) {
  range = button.dataset.range;
  for (const each of byId('trends').querySelectorAll('button')) {
    each.setAttribute('aria-pressed', String(each === button));
  }
  load();
}

export function startTrends() {
  const figures = byId('trends-charts');
  for (const {title} of CHARTS) {
    const figure = document.createElement('figure');
    const name = document.createElement('figcaption');
    const plot = document.createElement('div');
    name.textContent = title;
    plot.className = 'plot';
    plot.setAttribute('aria-hidden', 'true'); // the list below says it in words
    figure.append(name, plot, document.createElement('ul'));
    figures.append(figure);
  }
  for (const button of byId('trends').querySelectorAll('button')) button.onclick = () => choose(button);
  const again = () => answer && drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  let width = 0;
  new ResizeObserver(() => {
    if (figures.clientWidth === width) return;
    width = figures.clientWidth;
    again();
  }).observe(figures);
  setInterval(load, EVERY_MILLIS);
  load();
}
