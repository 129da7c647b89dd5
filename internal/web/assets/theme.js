// Runs before the first paint, so that nothing flashes or moves: the theme, and which panels are shut.
(() => {
  const get = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = get('theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  root.classList.toggle('side-shut', get('sidebarCollapsed') === 'true');
  root.classList.toggle('plan-shut', get('planCollapsed') === 'true');
})();
