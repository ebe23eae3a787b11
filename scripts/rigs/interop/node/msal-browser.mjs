import { JSDOM } from 'jsdom';
import { addMe, CLIENT_ID, createSite, ISSUER, serve, url } from './site.mjs';

// The library only runs in a page. One page is enough, because users sign in one after another.
const { window } = new JSDOM('<!doctype html>', { url: `${url}/`, pretendToBeVisual: true });
Object.defineProperty(window, 'crypto', { value: globalThis.crypto });
window.TextEncoder = TextEncoder;
window.fetch = fetch;
window.isSecureContext = true;
for (const name of ['document', 'sessionStorage', 'localStorage', 'location', 'navigator', 'history'])
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
globalThis.window = window;
globalThis.self = window;

const { PublicClientApplication } = await import('@azure/msal-browser');

const app = createSite();
const scopes = ['openid', 'profile', 'email', 'offline_access'];
let there = '';

// The library refuses an authority without TLS, so it gets an https URL, as behind a proxy that terminates TLS.
const { origin } = new URL(ISSUER);
const proxied = origin.replace('http:', 'https:');
const behindProxy = (text) => text.replaceAll(proxied, origin);
const beforeProxy = (text) => text.replaceAll(origin, proxied);

async function send(method, address, { headers, body } = {}) {
  const response = await fetch(behindProxy(address), { method, headers, body });
  const text = await response.text();
  const isDocument = address.includes('/.well-known/');
  return {
    headers: Object.fromEntries(response.headers),
    status: response.status,
    body: JSON.parse(isDocument ? beforeProxy(text) : text),
  };
}
const networkClient = {
  sendGetRequestAsync: (address, options) => send('GET', address, options),
  sendPostRequestAsync: (address, options) => send('POST', address, options),
};

async function createClient() {
  window.sessionStorage.clear();
  window.localStorage.clear();
  const client = new PublicClientApplication({
    auth: {
      clientId: CLIENT_ID,
      authority: beforeProxy(ISSUER),
      knownAuthorities: [new URL(ISSUER).host],
      redirectUri: `${url}/callback`,
      postLogoutRedirectUri: `${url}/signed-out`,
    },
    system: { protocolMode: 'OIDC', networkClient },
  });
  await client.initialize();
  client.setNavigationClient({
    navigateInternal: async () => false,
    async navigateExternal(address) {
      there = behindProxy(address);
      return false;
    },
  });
  return client;
}

let client;

/**
 * Returns the URL that the library navigates to. Doesn't wait for `navigate`, whose promise never settles on success.
 */
async function addressOf(navigate) {
  there = '';
  const failed = navigate().then(
    () => undefined,
    (reason) => reason,
  );
  while (there === '') {
    const reason = await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (reason) throw reason;
  }
  return there;
}

app.get('/login', async (request, response) => {
  request.session.begun = true;
  client = await createClient();
  response.redirect(await addressOf(() => client.loginRedirect({ scopes })));
});

// The response is in the fragment, which only the page's script can read.
app.get('/callback', (_request, response) =>
  response.send('<script>location = "/arrived?" + location.hash.slice(1)</script>'),
);

app.get('/arrived', async (request, response) => {
  const hash = `#${request.originalUrl.split('?')[1] ?? ''}`;
  const { account, idToken, idTokenClaims } = await client.handleRedirectPromise({ hash });
  client.setActiveAccount(account);
  Object.assign(request.session, { person: idTokenClaims.email, idToken });
  response.redirect('/me');
});

app.get('/refresh', async (_request, response) => {
  await client.acquireTokenSilent({ scopes, forceRefresh: true });
  response.send('refreshed');
});

app.get('/logout', async (request, response) => {
  const hint = { account: client.getActiveAccount(), idTokenHint: request.session.idToken };
  const address = await addressOf(() => client.logoutRedirect(hint));
  request.session.destroy(() => response.redirect(address));
});

addMe(app, ({ session }) => session.person);
serve(app);
