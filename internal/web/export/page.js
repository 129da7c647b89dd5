// Filter, fold and search of an exported run. Without it the page is whole, but for that.
(() => {
  const $ = (id) => document.getElementById(id);
  const sections = [...document.querySelectorAll('details')];
  const lines = () => document.querySelectorAll('.log p');
  $('fold').onclick = () => sections.forEach((s) => { s.open = false; });
  $('unfold').onclick = () => sections.forEach((s) => { s.open = true; });
  for (const box of document.querySelectorAll('[data-kind]')) box.onchange = () => document.body.classList.toggle(`hide-${box.dataset.kind}`, !box.checked);
  let hits = [];
  let at = -1;
  const show = (i) => {
    if (hits.length === 0) return;
    hits[at]?.classList.remove('at');
    at = (i + hits.length) % hits.length;
    const p = hits[at];
    p.closest('details').open = true;
    p.classList.add('at');
    p.scrollIntoView({block: 'center'});
    $('count').textContent = `${at + 1} of ${hits.length}`;
  };
  const look = () => {
    const word = $('find').value.toLowerCase();
    const only = $('only').checked && word !== '';
    hits = [];
    at = -1;
    for (const p of lines()) {
      const hit = word !== '' && p.lastElementChild.textContent.toLowerCase().includes(word);
      p.classList.toggle('hit', hit);
      p.classList.remove('at');
      p.classList.toggle('off', only && !hit);
      if (hit) hits.push(p);
    }
    const full = new Set(hits.map((p) => p.closest('details')));
    for (const s of sections) s.classList.toggle('off', only && !full.has(s));
    $('count').textContent = word === '' ? '' : hits.length === 0 ? 'none' : `${hits.length} found`;
  };
  let timer = 0;
  $('find').oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 200);
  };
  $('only').onchange = look;
  $('find').onkeydown = (e) => {
    if (e.key === 'Escape') e.target.value = '';
    if (e.key === 'Escape') look();
    if (e.key === 'Enter') show(at + (e.shiftKey ? -1 : 1));
  };
  document.onkeydown = (e) => {
    if (e.key !== '/' || e.target.tagName === 'INPUT') return;
    e.preventDefault();
    $('find').focus();
  };
})();
