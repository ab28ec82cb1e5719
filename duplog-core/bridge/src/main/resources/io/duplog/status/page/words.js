/* How numbers, times and levels are written. */

export const SYMBOLS = {ok: '●', attention: '◆', degraded: '▲', down: '■', lost: '✕'};

export const byId = (id) => document.getElementById(id);
export const count = (number) => number == null ? '–' : Math.round(number).toLocaleString('en');
export const percent = (number) => number == null ? '–' : number.toFixed(number < 10 ? 2 : 1) + ' %';

export function rateText(number) {
  return number == null ? '–' : (number > 0 && number < 10 ? number.toFixed(1) : count(number)) + '/s';
}

export function span(seconds) {
  if (seconds == null) return '–';
  if (seconds < 10) return seconds.toFixed(1) + ' s';
  if (seconds < 120) return Math.round(seconds) + ' s';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min';
  if (seconds < 172800) return Math.round(seconds / 3600) + ' h';
  return Math.round(seconds / 86400) + ' d';
}

export function clock(text) {
  const at = new Date(text);
  const time = at.toLocaleTimeString('en-GB');
  return at.toDateString() === new Date().toDateString()
    ? time : at.toLocaleDateString('sv').slice(5) + ' ' + time; // Swedish dates are those of ISO
}

/** The level of a component; an older bridge has its state only. */
export const levelOf = (component) => component.level
  || {'well': 'ok', 'degraded': 'degraded'}[component.state] || 'down';

/** Writes only what differs: a screen reader hears no news where there is none. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function dress(element, name) {
  if (element.getAttribute('class') !== name) element.setAttribute('class', name);
}
