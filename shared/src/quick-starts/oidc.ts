import { type QuickStart, quoted } from './quick-start.ts';

/** Values that an OIDC web application and the portal share. */
export interface OidcValues {
  issuer: string;
  clientId: string;
  /** The application's first redirect URI. */
  callbackUrl: string;
}

/** Environment variable that contains the client secret. None of the files contain the secret. */
export const SECRET_VARIABLE = 'OIDC_CLIENT_SECRET';

/** Returns the quick starts for web applications that authenticate with a secret. */
export const oidcQuickStarts = (values: OidcValues): QuickStart[] => [
  openidClient(values),
  authJs(values),
  spring(values),
  aspNet(values),
  modAuthOpenidc(values),
];

const isPlainHttp = (address: string): boolean => address.startsWith('http:');

function openidClient({ issuer, clientId, callbackUrl }: OidcValues): QuickStart {
  const discovery = isPlainHttp(issuer)
    ? `// Only because the portal is reached without TLS.
const options = { execute: [client.allowInsecureRequests] };
const config = await client.discovery(issuer, clientId, secret, undefined, options);`
    : 'const config = await client.discovery(issuer, clientId, secret);';
  return {
    id: 'openid-client',
    title: 'openid-client',
    install: 'npm install openid-client',
    files: [
      {
        name: 'app.mjs',
        text: `import { createServer } from 'node:http';
import * as client from 'openid-client';

const issuer = new URL(${quoted(issuer)});
const clientId = ${quoted(clientId)};
const secret = process.env.${SECRET_VARIABLE};
const callback = new URL(${quoted(callbackUrl)});

${discovery}

async function begin(response) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const there = client.buildAuthorizationUrl(config, {
    redirect_uri: callback.href,
    scope: 'openid profile email',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const cookie = \`sign-in=\${verifier}~\${state}; Path=/; HttpOnly; SameSite=Lax\`;
  response.writeHead(302, { location: there.href, 'set-cookie': cookie }).end();
}

async function finish(request, response) {
  const [, verifier, state] = /sign-in=([^~;]+)~([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
  const address = new URL(request.url, callback);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(config, address, checks);
  response.end(\`Signed in as \${tokens.claims().email}\`);
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, callback);
  const answer = pathname === callback.pathname ? finish(request, response) : begin(response);
  answer.catch((reason) => response.writeHead(403).end(\`Not signed in: \${reason.message}\`));
}).listen(Number(callback.port) || 3000);
`,
      },
    ],
  };
}

function authJs({ issuer, clientId, callbackUrl }: OidcValues): QuickStart {
  const { origin } = new URL(callbackUrl);
  return {
    id: 'auth-js',
    title: 'Auth.js',
    install: 'npm install @auth/express express',
    note: `The redirect URI is ${origin}/auth/callback/orchestrate; with Next.js ${origin}/api/auth/callback/orchestrate. Register it for the application.`,
    files: [
      {
        name: 'provider.mjs',
        text: `/** The portal, for the list of providers of every Auth.js package. */
export const orchestrate = {
  id: 'orchestrate',
  name: 'Orchestrate',
  type: 'oidc',
  issuer: ${quoted(issuer)},
  clientId: ${quoted(clientId)},
  clientSecret: process.env.${SECRET_VARIABLE},
  checks: ['pkce', 'state', 'nonce'],
};
`,
      },
      {
        name: 'app.mjs',
        text: `import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { orchestrate } from './provider.mjs';

const config = { providers: [orchestrate], secret: process.env.AUTH_SECRET, trustHost: true };

const app = express();
app.use(/^\\/auth\\/(.*)/, ExpressAuth(config));
app.get('/', async (request, response) => {
  const session = await getSession(request, config);
  if (session?.user) response.send(\`Signed in as \${session.user.email}\`);
  else response.redirect('/auth/signin');
});
app.listen(${Number(new URL(callbackUrl).port) || 3000});
`,
      },
    ],
  };
}

function spring({ issuer, clientId, callbackUrl }: OidcValues): QuickStart {
  const { origin } = new URL(callbackUrl);
  return {
    id: 'spring',
    title: 'Spring Boot',
    install: 'implementation("org.springframework.boot:spring-boot-starter-oauth2-client")',
    note: `The redirect URI is ${origin}/login/oauth2/code/orchestrate. Register it for the application.`,
    files: [
      {
        name: 'application.yml',
        text: `spring:
  security:
    oauth2:
      client:
        registration:
          orchestrate:
            client-id: ${quoted(clientId)}
            client-secret: \${${SECRET_VARIABLE}}
            client-authentication-method: client_secret_basic
            authorization-grant-type: authorization_code
            scope: [openid, profile, email]
        provider:
          orchestrate:
            issuer-uri: ${quoted(issuer)}
            user-name-attribute: email
`,
      },
    ],
  };
}

function aspNet({ issuer, clientId, callbackUrl }: OidcValues): QuickStart {
  const insecure = isPlainHttp(issuer)
    ? '        // Only because the portal is reached without TLS.\n        options.RequireHttpsMetadata = false;\n'
    : '';
  return {
    id: 'asp-net',
    title: 'ASP.NET Core',
    install: 'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    files: [
      {
        name: 'Program.cs',
        text: `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.ClientId = ${quoted(clientId)};
        options.ClientSecret = builder.Configuration[${quoted(SECRET_VARIABLE)}];
        options.CallbackPath = ${quoted(new URL(callbackUrl).pathname)};
        options.ResponseType = "code";
        options.UsePkce = true;
        options.Scope.Add("email");
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.TokenValidationParameters.NameClaimType = "email";
${insecure}    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => $"Signed in as {context.User.Identity?.Name}").RequireAuthorization();
app.Run();
`,
      },
    ],
  };
}

function modAuthOpenidc({ issuer, clientId, callbackUrl }: OidcValues): QuickStart {
  return {
    id: 'mod-auth-openidc',
    title: 'mod_auth_openidc',
    install: 'apt install libapache2-mod-auth-openidc',
    note: 'Apache reads both variables from its environment, on Debian from /etc/apache2/envvars. Don’t serve anything else at the redirect URI’s path.',
    files: [
      {
        name: 'orchestrate.conf',
        text: `OIDCProviderMetadataURL ${unspaced(issuer)}/.well-known/openid-configuration
OIDCClientID ${unspaced(clientId)}
OIDCClientSecret "\${${SECRET_VARIABLE}}"
OIDCRedirectURI ${unspaced(callbackUrl)}
OIDCCryptoPassphrase "\${OIDC_PASSPHRASE}"
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim email

<Location />
  AuthType openid-connect
  Require valid-user
</Location>
`,
      },
    ],
  };
}

/** Escapes quotes, which would start a string in Apache's files. URLs and IDs contain no white space. */
const unspaced = (text: string): string => text.replaceAll('"', '%22').replaceAll("'", '%27');
