"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const filter = byId("filter"), state = byId("state"), found = byId("found"), panel = byId("panel"), shown = byId("shown");
  const rows = all("details[data-e]"), cells = all(".cell");
  let opener = null;

  // Tab comes to one cell of each picture, arrows move on from there.
  for (const picture of all("svg")) {
    all(".cell", picture).forEach((cell, at) => cell.setAttribute("tabindex", at ? "-1" : "0"));
  }
  const goTo = (cell) => {
    if (!cell) return;
    for (const one of all('.cell[tabindex="0"]', cell.ownerSVGElement)) one.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    cell.focus();
  };

  const box = (cell) => {
    const rect = cell.querySelector("rect");
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
    return { left: x, right: x + width, top: y, bottom: y + height };
  };
  // Each direction as a turn of the plane after which it is "down".
  const turns = {
    ArrowDown: (r) => ({ near: r.top, far: r.bottom, low: r.left, high: r.right }),
    ArrowUp: (r) => ({ near: -r.bottom, far: -r.top, low: r.left, high: r.right }),
    ArrowRight: (r) => ({ near: r.left, far: r.right, low: r.top, high: r.bottom }),
    ArrowLeft: (r) => ({ near: -r.right, far: -r.left, low: r.top, high: r.bottom }),
  };
  const holds = (a, b) => a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
  const next = (cell, key) => {
    const place = box(cell), here = turns[key](place), isBack = key === "ArrowUp" || key === "ArrowLeft";
    let best = null, least = Infinity;
    for (const other of all(".cell:not(.off)", cell.ownerSVGElement)) {
      if (other === cell) continue;
      const rect = box(other), there = turns[key](rect);
      const nested = isBack ? holds(rect, place) : holds(place, rect);
      if (!nested && there.near < here.far - 1) continue;
      const along = nested ? Math.abs(isBack ? there.far - here.far : there.near - here.near) : there.near - here.far;
      const aside = Math.max(there.low - here.high, here.low - there.high, 0);
      const skew = Math.abs((there.low + there.high) - (here.low + here.high)) / 2;
      const far = Math.abs(along) + (aside > 0 ? 10000 : 0) + 3 * aside + skew / 4;
      if (far < least) { best = other; least = far; }
    }
    return best;
  };

  const close = (returns) => {
    if (panel.hidden) return false;
    panel.hidden = true;
    shown.replaceChildren();
    cells.forEach((cell) => cell.classList.remove("open"));
    if (returns && opener) opener.focus();
    return true;
  };
  const open = (cell) => {
    const row = byId("e" + Number(cell.dataset.e));
    shown.replaceChildren(row.querySelector(".body").cloneNode(true));
    cells.forEach((one) => one.classList.toggle("open", one.dataset.e === cell.dataset.e));
    panel.hidden = false;
    panel.scrollTop = 0;
    opener = cell;
    panel.focus();
  };

  document.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) {
      event.preventDefault();
      goTo(cell);
      open(cell);
    } else if (event.target.closest("#close")) {
      close(true);
    } else if (!event.target.closest("#panel")) {
      close(false);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = event.target.closest(".cell");
    if (event.key === "Escape") {
      if (!close(true) && filter.value) { filter.value = ""; narrow(); }
    } else if (cell && event.key in turns) {
      event.preventDefault();
      goTo(next(cell, event.key));
    } else if (cell && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      open(cell);
    } else if (event.key === "/" && !event.target.closest("input, select")) {
      event.preventDefault();
      filter.focus();
    }
  });

  const narrow = () => {
    const words = filter.value.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    const kept = new Set();
    for (const row of rows) {
      const fits = (!state.value || row.dataset.state === state.value || (state.value === "known" && row.dataset.state === "verify"))
        && words.every((word) => row.dataset.text.includes(word));
      row.classList.toggle("off", !fits);
      if (fits) kept.add(row.dataset.e);
    }
    for (const cell of cells) cell.classList.toggle("off", !kept.has(cell.dataset.e));
    found.textContent = kept.size === rows.length ? "" : kept.size + " of " + rows.length;
  };
  filter.addEventListener("input", narrow);
  state.addEventListener("change", narrow);
  filter.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const visible = all("svg").find((one) => one.getClientRects().length);
    goTo(visible && visible.querySelector(".cell:not(.off):not(.group), .cell:not(.off)"));
  });

  let closed = [];
  addEventListener("beforeprint", () => { closed = rows.filter((row) => !row.open); closed.forEach((row) => { row.open = true; }); });
  addEventListener("afterprint", () => closed.forEach((row) => { row.open = false; }));
  narrow();
})();
