import express, { type Express } from 'express';
import session from 'express-session';
import * as client from 'openid-client';

declare module 'express-session' {
  interface SessionData {
    /** What the application remembers while somebody signs in. */
    signIn: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string };
    person: string;
  }
}

export interface Settings {
  /** Where people reach the application. */
  url: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Seconds that the provider has for an answer. */
  timeout?: number;
}

/** An application whose people sign in by OpenID Connect. */
export async function createApp({ url, issuer, clientId, clientSecret, timeout = 5 }: Settings): Promise<Express> {
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    // Only for a provider on this machine.
    execute: [client.allowInsecureRequests],
  });
  config.timeout = timeout;
  // Without this, the library trusts the connection and does not look at the signature of an ID token.
  client.enableNonRepudiationChecks(config);

  const app = express();
  app.use(session({ secret: 'only for this example', resave: false, saveUninitialized: false }));

  app.get('/', (request, response) => {
    response.send(request.session.person ? `Hello, ${request.session.person}` : '<a href="/login">Sign in</a>');
  });

  app.get('/login', async (request, response) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const signIn = { pkceCodeVerifier, expectedState: client.randomState(), expectedNonce: client.randomNonce() };
    request.session.signIn = signIn;
    const there = client.buildAuthorizationUrl(config, {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile email',
      state: signIn.expectedState,
      nonce: signIn.expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    response.redirect(there.href);
  });

  app.get('/callback', async (request, response) => {
    try {
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(request.originalUrl, url),
        request.session.signIn,
      );
      request.session.person = String(tokens.claims()?.email);
      response.redirect('/');
    } catch (reason) {
      response.status(401).send(`You are not signed in. ${whyOf(reason)}`);
    }
  });

  return app;
}

/** What the provider said, or else what the library did not like. */
function whyOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  if ('error' in reason) return String(reason.error);
  return reason.cause instanceof Error ? reason.cause.message : reason.message;
}
