// Runs before the first paint, because otherwise a dark page would flash white and a branded page yellow. It also
// starts whatever the page needs that the server can't know: the catalogues of the chosen language, and the first data
// of a signed-in user. The server adds its hash to the page's CSP.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const parse = (text) => {
    try {
      return JSON.parse(text) ?? {};
    } catch {
      return {};
    }
  };
  const root = document.documentElement;
  const { orgCode, settings, words = {}, reads = [] } = parse(document.getElementById('start')?.textContent);
  const session = parse(read('orchestrate.session'));

  const mode = read('orchestrate.colour-mode');
  const isDark = mode ? mode === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.add(isDark ? 'dark' : 'light');
  root.style.colorScheme = isDark ? 'dark' : 'light';

  // With settings, the server has set the colours.
  if (!settings) {
    const brand = parse(read('orchestrate.brands'))[
      orgCode?.toLowerCase() ?? session.orgId ?? read('orchestrate.organisation')
    ];
    for (const [name, value] of Object.entries(brand ?? {})) {
      if (/^--brand[a-z-]*$/.test(name) && /^#[0-9a-f]{6}$/i.test(value)) root.style.setProperty(name, value);
    }
  }

  const tags = [read('orchestrate.language'), ...navigator.languages].map((tag) => tag?.toLowerCase().split('-')[0]);
  const language = tags.find((tag) => tag === 'en' || tag === 'de') ?? 'en';
  root.lang = language;
  // For the page's first look, which the client replaces.
  root.dataset.person = session.token ? 'in' : 'out';
  root.dataset.remembered = read('orchestrate.remembered')?.split(' ').includes(settings?.orgCode) ? 'yes' : 'no';
  root.dataset.sidebar = read('orchestrate.sidebar') ?? '';
  for (const href of words[language] ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }

  // The dashboard's title, as soon as the page's first look has it.
  const { firstName } = session.profile ?? {};
  const greeter = new MutationObserver(() => {
    const title = document.querySelector('.l-title');
    if (!title) return;
    greeter.disconnect();
    const greetings = [...title.querySelectorAll(`[lang=${language}]`)];
    const { textContent } = greetings.findLast(({ dataset }) => dataset.from <= new Date().getHours());
    title.textContent = `${textContent}, ${firstName}`;
  });
  if (firstName) greeter.observe(document, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => greeter.disconnect());

  const early = new Map();
  window.earlyReads = early;
  const freshUntil = () => performance.now() + 15_000;
  if (settings) {
    const answer = Promise.resolve(new Response(JSON.stringify({ ...settings, resultCode: 0 })));
    early.set(`/api/org/settings?code=${encodeURIComponent(orgCode)}`, {
      answer,
      authorization: null,
      until: freshUntil(),
    });
  }
  // Requests what a screen reads first, unless it was requested recently. The client calls it for the screens to which
  // the user moves.
  window.readEarly = (reads = [], query = '') => {
    const { token, tokenEndsAt, orgId, profile } = parse(read('orchestrate.session'));
    if (!(tokenEndsAt > Date.now() + 5_000)) return;
    const values = {
      org: orgId,
      language,
      today: new Date(new Date().setHours(0, 0, 0, 0)).toISOString(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    for (const { path, permission, isFiltered } of reads) {
      if ((permission && !profile?.permissions?.includes(permission)) || (isFiltered && query)) continue;
      const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
      const authorization = path.startsWith('/api/org/settings') ? null : `Bearer ${token}`;
      const known = early.get(address);
      if (known?.authorization === authorization && known.until > performance.now()) continue;
      const headers = { accept: 'application/json', 'accept-language': language };
      const answer = fetch(address, { headers: authorization ? { ...headers, authorization } : headers });
      // Read it all, because a response that the client doesn't use would occupy its connection. After a failure, the
      // client tries again itself.
      answer.then((response) => response.clone().arrayBuffer()).catch(() => undefined);
      early.set(address, { answer, authorization, until: freshUntil() });
    }
  };
  window.readEarly(reads, location.search);
})();
