// Runs before the first paint, because otherwise a dark page would flash white and a branded page yellow. It is a
// separate file because the page's CSP doesn't allow inline scripts.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const chosen = read('orchestrate.colour-mode');
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.add(isDark ? 'dark' : 'light');
  root.style.colorScheme = isDark ? 'dark' : 'light';
  try {
    const brand = JSON.parse(read('orchestrate.brand') ?? '{}');
    for (const [name, value] of Object.entries(brand)) {
      if (/^--brand[a-z-]*$/.test(name) && /^#[0-9a-f]{6}$/i.test(value)) root.style.setProperty(name, value);
    }
  } catch {
    localStorage.removeItem('orchestrate.brand');
  }
})();
