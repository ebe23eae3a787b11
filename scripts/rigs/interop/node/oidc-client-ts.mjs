import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { addMe, CLIENT_ID, createSite, ISSUER, serve, url } from './site.mjs';

const app = createSite();

/** The library's state per browser. */
const managers = new Map();
function managerOf({ sessionID }) {
  if (!managers.has(sessionID)) managers.set(sessionID, createManager());
  return managers.get(sessionID);
}

function createManager() {
  const there = { address: '' };
  const storage = () => new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const settings = {
    authority: ISSUER,
    client_id: CLIENT_ID,
    redirect_uri: `${url}/callback`,
    post_logout_redirect_uri: `${url}/signed-out`,
    scope: 'openid profile email offline_access',
    loadUserInfo: true,
    automaticSilentRenew: false,
    userStore: storage(),
    stateStore: storage(),
  };
  // Replaces page navigation.
  const navigator = {
    prepare: async () => ({
      async navigate({ url: address }) {
        there.address = address;
        return { url: address };
      },
      close() {},
    }),
  };
  return { manager: new UserManager(settings, navigator), there };
}

app.get('/login', async (request, response) => {
  const { manager, there } = managerOf(request);
  request.session.begun = true;
  await manager.signinRedirect();
  response.redirect(there.address);
});

app.get('/callback', async (request, response) => {
  const { profile } = await managerOf(request).manager.signinRedirectCallback(url + request.originalUrl);
  Object.assign(request.session, { person: profile.email, profile });
  response.redirect('/me');
});

app.get('/userinfo', ({ session: { profile } }, response) => response.send(profile));

app.get('/refresh', async (request, response) => {
  await managerOf(request).manager.signinSilent();
  response.send('refreshed');
});

// Revokes both tokens in separate requests.
app.get('/revoke', async (request, response) => {
  const { manager } = managerOf(request);
  const { refresh_token } = await manager.getUser();
  await manager.revokeTokens(['access_token', 'refresh_token']);
  await manager.storeUser(Object.assign(await manager.getUser(), { refresh_token }));
  response.send('revoked');
});

app.get('/logout', async (request, response) => {
  const { manager, there } = managerOf(request);
  await manager.signoutRedirect();
  request.session.destroy(() => response.redirect(there.address));
});

addMe(app, ({ session }) => session.person);
serve(app);
