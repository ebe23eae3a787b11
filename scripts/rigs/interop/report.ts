import type { ClientResult, Outcome } from './foreign-client.ts';
import { type AnyClient, FLOWS } from './foreign-client.ts';

/** Formats a client's results for a terminal. */
export function formatLines({ client, version = 'not here', outcomes }: ClientResult): string {
  const lines = [...outcomes].map(([flow, outcome]) => {
    const why = 'why' in outcome ? `: ${outcome.why}` : '';
    return `  ${outcome.result.padEnd(8)} ${flow}${why}`;
  });
  return [`${client.title} ${version} (${client.protocol})`, ...lines].join('\n');
}

const isOf =
  (protocol: AnyClient['protocol']) =>
  ({ client }: ClientResult): boolean =>
    client.protocol === protocol;

function tableOf(protocol: AnyClient['protocol'], results: readonly ClientResult[]): string {
  const flows: readonly string[] = FLOWS[protocol];
  const rows = results
    .filter(isOf(protocol))
    .map(({ client, version = '–', outcomes }) => [
      client.title,
      version,
      ...flows.map((flow) => outcomes.get(flow)?.result ?? '–'),
    ]);
  return [['client', 'version', ...flows], ['client', 'version', ...flows].map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Joins all lines of a string into one. */
const inLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function reasonsOf(results: readonly ClientResult[]): string[] {
  return results.flatMap(({ client, outcomes }) => {
    const reported = [...outcomes].filter(
      (entry): entry is [string, Exclude<Outcome, { result: 'passed' }>] => entry[1].result !== 'passed',
    );
    return reported.map(([flow, { result, why }]) => `- **${client.title}**, ${flow}, ${result}: ${inLine(why)}`);
  });
}

/** Returns the content of docs/interoperability.md. */
export function formatDocument(results: readonly ClientResult[], now: Date): string {
  const count = (wanted: Outcome['result']) =>
    results.flatMap(({ outcomes }) => [...outcomes.values()]).filter(({ result }) => result === wanted).length;
  const reasons = reasonsOf(results);
  return `# Interoperability

Made by \`npx -y pnpm@12 interop\` on ${now.toISOString().slice(0, 10)}: third-party clients run against a portal, each in an application that an
administrator has created there. The phone is simulated, and the user's browser is \`portal.browser\` of
[the test double](testing-a-client.md). ${count('passed')} flows passed, ${count('failed')} failed, ${count('cannot')} cannot pass, ${count('not run')} were not run.

*passed*: it worked, and the portal's journal confirms it. *failed*: it didn't work; the reason is below. *cannot*: it didn't work because of the client itself. *not run*: the client
couldn't be installed on the machine that generated this page. – : the client doesn't support this.

## OpenID Connect and OAuth 2.0

${tableOf('OpenID Connect', results)}

| flow | expected behaviour |
|---|---|
| sign-in | the phone approves; the client signs the user in, with one token request |
| PKCE | the client sends an \`S256\` challenge and the matching verifier |
| denied on the phone | the browser stays at the portal, and the client has no session |
| access_denied | the portal redirects back with this error; the client reports it and has no session |
| invalid ID token | its audience is another client; the client rejects it and has no session |
| userinfo | the client displays the first name from userinfo |
| refresh | the client gets new tokens, and the user stays signed in |
| revocation | the client revokes both tokens, accepts the responses, and can't refresh any more |
| logout | started at the client and returns there; both sessions end, and the next sign-in needs the phone again |
| wrong secret | the client gets no tokens, reports the error and has no session |

## Protected resources

Services that accept access tokens of the portal.

${tableOf('Protected resource', results)}

| flow | expected behaviour |
|---|---|
| accepts a token | the service introspects it once (RFC 7662) and returns its subject |
| rejects other tokens | without a token, and with an unknown one, the response is 401 with a challenge |
| rejects a revoked token | after the client revoked it, the service returns 401 |

## Device authorization grant

${tableOf('Device authorization grant', results)}

| flow | expected behaviour |
|---|---|
| sign-in | the device displays a code, which is entered in a browser and approved on the phone; the device's next poll signs the user in |
| link | the URL that contains the code opens the same page |
| denied on the page | the device gets \`access_denied\`, reports it and has no session |
| userinfo | the device displays the first name |
| refresh | the device gets new tokens |
| registers itself | the device registers its application with an initial access token, and signs in |
| expired code | after ten minutes without entry, the device reports the expiry |

## Dynamic client registration

These clients have no application, only an initial access token from an administrator.

${tableOf('Dynamic client registration', results)}

| flow | expected behaviour |
|---|---|
| registers and signs in | the organisation has one more application, and its client signs the user in |
| registers once | the next sign-in reuses the registration |
| refresh | the client gets new tokens, and the user stays signed in |
| removes itself | the client reads and deletes its registration (RFC 7592), and the application is deleted |
| wrong token | registration fails, the client reports it, and no application is created |

## SAML 2.0

The portal uses the metadata that the service provider generates.

${tableOf('SAML 2.0', results)}

| flow | expected behaviour |
|---|---|
| sign-in | a request by redirect, a response by form |
| started at the portal | a response without a request |
| denied on the phone | the browser stays at the portal, and the service provider has no session |
| RequestDenied | for a response with this status, the service provider reports an error and has no session |
| invalid response | for a wrong signature, the service provider rejects the response and has no session |
| logout | started at the service provider, answered by the portal; both sessions end |
| signed request | the portal requires a signature, because of the metadata, and verifies it |
| request by POST | a request by form |
| EC key | signed requests by redirect and form, and a logout, with a P-256 key |

## SCIM 2.0

${tableOf('SCIM 2.0', results)}

| flow | expected behaviour |
|---|---|
| reads members | the client's own schema accepts every member that the portal lists |
| creates a group | the client creates a group of two members, finds it by name and member, and reads it with its own schema |
| reads by bearer token | the first flow, with a bearer token instead of username and password |
| provisioned by Okta | the client is a service that responds correctly to Okta's requests (\`portal.provision\`) |
| provisioned by Entra | the same with Microsoft Entra ID's requests |

## RADIUS and LDAP

${tableOf('RADIUS and LDAP', results)}

| flow | expected behaviour |
|---|---|
| sign-in | the command waits, the phone approves, and the command succeeds |
| denied on the phone | the command is rejected |
| wrong secret | RADIUS: no response; LDAP: the application's account is rejected |
| search | the application's account finds a member by email address |

## Test suites in other languages

${tableOf('Test suite', results)}

| flow | expected behaviour |
|---|---|
| sign-in | the suite creates a space and a user, approves a sign-in on their phone, and reads the profile |
| denied on the phone | the sign-in is rejected |
| fault | the next call is refused with the result that the suite chose |
| verified | the journal has both calls |
| tokens | an ID token contains the suite's own claim |
| clock | after eleven minutes, the access token has expired |
| misspelt | a misspelt control is rejected |

## Reasons

${reasons.length > 0 ? reasons.join('\n') : 'All flows were run and passed.'}
`;
}
