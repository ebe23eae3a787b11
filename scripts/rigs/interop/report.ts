import { type AnyClient, FLOWS } from './foreign-client.ts';
import type { ClientResult, Outcome } from './result.ts';

/** For a terminal. */
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

/** A line in a document: what has line breaks or would be a cell of its own. */
const inLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function reasonsOf(results: readonly ClientResult[]): string[] {
  return results.flatMap(({ client, outcomes }) => {
    const told = [...outcomes].filter(
      (entry): entry is [string, Exclude<Outcome, { result: 'passed' }>] => entry[1].result !== 'passed',
    );
    return told.map(([flow, { result, why }]) => `- **${client.title}**, ${flow}, ${result}: ${inLine(why)}`);
  });
}

/** docs/interoperability.md. */
export function formatDocument(results: readonly ClientResult[], now: Date): string {
  const count = (wanted: Outcome['result']) =>
    results.flatMap(({ outcomes }) => [...outcomes.values()]).filter(({ result }) => result === wanted).length;
  const reasons = reasonsOf(results);
  return `# Interoperability

Made by \`npx -y pnpm@12 interop\` on ${now.toISOString().slice(0, 10)}: clients that we did not write, against a portal of its own, each in an application that an
administrator has made there. The phone is the simulated one, the person's browser is \`portal.browser\` of
[the double](testing-a-client.md). ${count('passed')} flows passed, ${count('failed')} failed, ${count('cannot')} cannot pass, ${count('not run')} were not run.

*passed*: it did what it should, and what the portal's journal has agrees. *failed*: it did not; the reason is below. *cannot*: the same, through the client's own fault. *not run*: the client
cannot be had on the machine where this page was made, and nothing is known. – : the client does not do this.

## OpenID Connect and OAuth 2.0

${tableOf('OpenID Connect', results)}

| flow | what must happen |
|---|---|
| sign-in | the phone approves; the client knows the person, with one request for tokens |
| PKCE | the client asks with a challenge by \`S256\`, and its verifier is right |
| denied on the phone | the browser stays at the portal, and the client knows nobody |
| access_denied | the portal sends the browser back with this error: the client says that it failed, and knows nobody |
| damaged ID token | its audience is somebody else: the client refuses it, and knows nobody |
| userinfo | the client shows the first name, which it has asked for |
| refresh | the client gets new tokens, and the person stays |
| revocation | the client revokes both its tokens, understands the answers, and gets no new ones |
| logout | begun at the client, it ends there; neither knows the person any more, and the next sign-in asks the phone again |
| wrong secret | the client is refused its tokens, says so, and knows nobody |

## Protected resources

Services to which a program brings an access token that it has from the portal.

${tableOf('Protected resource', results)}

| flow | what must happen |
|---|---|
| accepts a token | the service asks the portal about it once (RFC 7662), and knows whose it is |
| refuses other tokens | without a token, and with one that nobody has issued, the answer is 401 with a challenge |
| refuses a revoked token | the program has revoked it: the service answers 401 |

## Device authorization grant

${tableOf('Device authorization grant', results)}

| flow | what must happen |
|---|---|
| sign-in | the device shows a code, which is entered in a browser; the phone approves there; the device knows the person at its next question |
| link | the address with the code in it leads to the same question |
| denied on the page | the device is told \`access_denied\`, says so, and knows nobody |
| userinfo | the device shows the first name |
| refresh | the device gets new tokens |
| registers itself | nobody has made an application for the device: it does so by an initial access token, and signs in |
| expired code | nobody has entered it for ten minutes: the device says so |

## Dynamic client registration

Nobody has made an application for these: they have an initial access token of an administrator's.

${tableOf('Dynamic client registration', results)}

| flow | what must happen |
|---|---|
| registers and signs in | the organisation has one application more, and its client knows the person |
| registers once | the next sign-in uses what was registered |
| refresh | the client gets new tokens, and the person stays |
| removes itself | the client reads its registration and removes it (RFC 7592): the application is gone |
| wrong token | the client is refused, says so, and there is no new application |

## SAML 2.0

The portal has been given the metadata that the service provider makes itself.

${tableOf('SAML 2.0', results)}

| flow | what must happen |
|---|---|
| sign-in | a request by redirect, an answer by form |
| begun at the portal | an answer without a request |
| denied on the phone | the browser stays at the portal, and the service provider knows nobody |
| RequestDenied | an answer with this status: the service provider says that it failed, and knows nobody |
| damaged answer | its signature is wrong: the service provider refuses it, and knows nobody |
| logout | begun at the service provider, answered by the portal, and nobody is known any more |
| signed request | the portal demands a signature, because the metadata say so, and finds it right |
| request by POST | a request by form |
| EC key | signed requests by redirect and form, and a logout, with a key on P-256 |

## SCIM 2.0

${tableOf('SCIM 2.0', results)}

| flow | what must happen |
|---|---|
| reads our people | the client's own schema accepts every member that the portal lists |
| makes a group of them | a group of two people is made from the client's own schema, found by name and member, and read by it |
| reads them by a token | the same with a bearer token in place of user name and password |
| told by Okta | the client is a service: it answers as it should to what Okta sends (\`portal.provision\`) |
| told by Entra | the same with what Microsoft Entra ID sends |

## RADIUS and LDAP

${tableOf('RADIUS and LDAP', results)}

| flow | what must happen |
|---|---|
| sign-in | the command waits, the phone approves, and the command succeeds |
| denied on the phone | the command is refused |
| wrong secret | RADIUS: no answer; LDAP: the account that searches is refused |
| search | the account of the application finds a member by address |

## Reasons

${reasons.length > 0 ? reasons.join('\n') : 'Nothing failed, and everything was run.'}
`;
}
