"use strict";
// Reads out the values a picture carries: by pointer, by keys, aloud. Everything is in the page; nothing is fetched.
const stage = document.querySelector(".stage"), tip = document.querySelector(".tip"), NS = "http://www.w3.org/2000/svg";
const lang = document.documentElement.lang, off = new Set();
const number = v => {
  const size = Math.abs(v);
  return v !== 0 && (size >= 1e15 || size < 1e-6) ? String(v) : v.toLocaleString(lang, { maximumFractionDigits: 20 });
};
const charts = [...stage.querySelectorAll("svg")].map(svg => {
  const points = [...svg.querySelectorAll("[data-points]")].flatMap(group => {
    const { series, name, unit, points } = group.dataset;
    return JSON.parse(points).map(([label, value, x, y]) => ({ series, name, unit, label, value, x, y }));
  });
  const mark = svg.appendChild(document.createElementNS(NS, "g"));
  mark.setAttribute("pointer-events", "none");
  return { svg, points, mark, read: svg.dataset.read, at: -1 };
});
const shown = chart => chart.points.filter(p => !off.has(p.series));
const along = chart => (chart.read === "y" ? "y" : "x");
// The places of a chart in order: points that share a label, or each point where the nearest counts.
function stops(chart) {
  const key = along(chart), groups = new Map();
  shown(chart).forEach((p, i) => {
    const id = chart.read === "near" ? i : p.label;
    groups.set(id, [...(groups.get(id) || []), p]);
  });
  return [...groups.values()].sort((a, b) => a[0][key] - b[0][key]);
}
function show(chart, stop) {
  charts.forEach(other => other.mark.replaceChildren());
  tip.hidden = !stop;
  if (!stop) return;
  stop.forEach(p => {
    const ring = chart.mark.appendChild(document.createElementNS(NS, "circle"));
    for (const [k, v] of Object.entries({ cx: p.x, cy: p.y, r: 5, class: "f-ground s-ink", "stroke-width": 2 })) ring.setAttribute(k, v);
  });
  const line = (tag, text) => Object.assign(tip.appendChild(document.createElement(tag)), { textContent: text });
  tip.replaceChildren();
  line("b", chart.read === "near" ? stop[0].name || stop[0].label : stop[0].label);
  stop.forEach(p => {
    const place = chart.svg.dataset.kind === "scatter" ? number(Number(p.label)) + " / " : chart.read === "near" ? p.label + ": " : "";
    const name = chart.read !== "near" && p.name && stop.length + off.size > 1 ? p.name + ": " : "";
    line("span", name + place + number(p.value) + (p.unit ? "\u00a0" + p.unit : ""));
  });
  const box = chart.svg.getBoundingClientRect(), scale = box.width / chart.svg.viewBox.baseVal.width, frame = stage.getBoundingClientRect();
  const x = box.left - frame.left + stop[0].x * scale, y = box.top - frame.top + Math.min(...stop.map(p => p.y)) * scale;
  tip.style.left = Math.max(0, Math.min(x + 12, frame.width - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(0, y - tip.offsetHeight - 12) + "px";
}
const visible = () => charts.find(chart => chart.svg.getBoundingClientRect().width > 0) || charts[0];
for (const chart of charts) {
  chart.svg.addEventListener("pointermove", event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.svg.getScreenCTM().inverse());
    const key = along(chart), all = stops(chart);
    const far = p => (chart.read === "near" ? Math.hypot(p.x - at.x, p.y - at.y) : Math.abs(p[key] - at[key]));
    chart.at = all.reduce((best, stop, i) => (best < 0 || far(stop[0]) < far(all[best][0]) ? i : best), -1);
    show(chart, all[chart.at]);
  });
  chart.svg.addEventListener("pointerleave", () => show(chart));
  for (const item of chart.svg.querySelectorAll("[data-legend]")) {
    const toggle = () => {
      const id = item.dataset.legend;
      off.has(id) ? off.delete(id) : off.add(id);
      for (const part of stage.querySelectorAll(`[data-legend="${id}"],[data-series="${id}"]`)) part.classList.toggle("off", off.has(id));
      for (const part of stage.querySelectorAll(`[data-legend="${id}"]`)) part.setAttribute("aria-pressed", !off.has(id));
      charts.forEach(other => (other.at = -1));
      show(chart);
    };
    for (const [k, v] of Object.entries({ tabindex: 0, role: "button", "aria-pressed": true })) item.setAttribute(k, v);
    item.addEventListener("click", toggle);
    item.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }
}
stage.addEventListener("keydown", event => {
  const chart = visible(), all = stops(chart), last = all.length - 1;
  const next = { ArrowRight: chart.at + 1, ArrowDown: chart.at + 1, ArrowLeft: chart.at < 0 ? last : chart.at - 1, ArrowUp: chart.at < 0 ? last : chart.at - 1, Home: 0, End: last }[event.key];
  if (event.key === "Escape") return show(chart);
  if (next === undefined) return;
  event.preventDefault();
  chart.at = Math.max(0, Math.min(next, last));
  show(chart, all[chart.at]);
});
stage.addEventListener("blur", () => show(visible()));
