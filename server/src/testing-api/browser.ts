import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { contract } from '@orchestrate/shared';
import { createPortalCall, type PortalCall } from '@orchestrate/shared/authenticator';
import { parseSetCookie } from 'cookie';
import { machineNow } from '#platform/adapters/clock.ts';
import { limitArguments, type Options, requireOptions } from './require-options.ts';

interface Kept {
  host: string;
  path: string;
  name: string;
  value: string;
  isSecure: boolean;
  /** Expiry, in milliseconds since the epoch. */
  expiresAt: number;
}

/** A browser's cookies (RFC 6265 §5.3 and §5.4). Cookies are sent to the host that set them, on any port. */
interface CookieJar {
  keep(url: URL, response: Response): void;
  /** Returns the `Cookie` header for a request to this URL, or undefined if no cookie matches. */
  headerFor(url: URL): string | undefined;
}

function createCookieJar(): CookieJar {
  let cookies: Kept[] = [];
  return {
    keep(url, { headers }) {
      for (const line of headers.getSetCookie()) {
        const { name, value = '', path, maxAge, expires, secure } = parseSetCookie(line, { decode: asItIs });
        const scope = { host: url.hostname, path: path?.startsWith('/') ? path : folderOf(url), name };
        const expiresAt = maxAge === undefined ? (expires?.getTime() ?? Number.POSITIVE_INFINITY) : after(maxAge);
        cookies = cookies.filter((one) => one.host !== scope.host || one.path !== scope.path || one.name !== name);
        if (expiresAt > machineNow()) cookies.push({ ...scope, value, expiresAt, isSecure: secure === true });
      }
    },
    headerFor(url) {
      const sent = cookies
        .filter((one) => one.host === url.hostname && one.expiresAt > machineNow())
        .filter((one) => !one.isSecure || isTrustworthy(url))
        .filter((one) => covers(one.path, url.pathname))
        .sort((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

// Only the site that set a cookie knows its encoding, so the value is never decoded or encoded.
const asItIs = (value: string) => value;
const after = (seconds: number) => machineNow() + seconds * 1_000;
const folderOf = ({ pathname }: URL) => pathname.slice(0, pathname.lastIndexOf('/')) || '/';
const covers = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
/** Browsers treat localhost as secure, like HTTPS. */
const isTrustworthy = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';

/** Statuses whose responses have no body (RFC 9110 §15). */
const BODILESS = [204, 205, 304];

/** Error codes of servers that don't exist or don't listen. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
class Unreachable extends Error {}

/** Headers that browsers send when a user follows a link (Fetch Metadata §2). */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/**
 * Sends a request like a browser navigation, without following redirects. Node's own `fetch` identifies itself as a
 * script, and applications respond to scripts with 401 instead of a sign-in.
 * @throws Error if the server doesn't respond; `Unreachable` if no connection is possible
 */
async function navigate(
  url: URL,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string | undefined },
): Promise<Response> {
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, { method, headers: { ...NAVIGATION, ...headers } }).end(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  }).catch((cause: unknown) => {
    const Failure = UNREACHABLE.includes(String((cause as NodeJS.ErrnoException).code)) ? Unreachable : Error;
    throw new Failure(`${url.origin} did not respond.`, { cause });
  });
  const { statusCode = 0, headersDistinct } = answer;
  const content = new Uint8Array(await buffer(answer));
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(BODILESS.includes(statusCode) ? null : content, { status: statusCode, headers: pairs });
}

export interface BrowserOptions {
  /** Email address of the user, who needs a simulated phone. If omitted, the browser stops at the sign-in page. */
  as?: string;
  /** How the phone of `as` answers when an application asks the user to sign in, whatever policies say. Default: `approve`. */
  answer?: 'approve' | 'deny';
  /**
   * True to stop where the portal sends the browser to another site, without opening that URL. Default: false, which
   * stops there only if the site isn't running.
   */
  stopsAtApplication?: boolean;
}

/** Final response after all redirects. */
export interface Page {
  /** URL of the page, e.g. an application's redirect URI with `code` and `state`. */
  url: URL;
  /** HTTP status; 0 if the browser stopped at an application without opening its URL, or the application isn't running. */
  status: number;
  headers: Headers;
  text: string;
  /** Fields of the form that was posted to the URL, e.g. `SAMLResponse`. Undefined if nothing was posted. */
  form?: Readonly<Record<string, string>>;
}

/**
 * A user's browser without a window or scripts, for testing applications. It stores cookies, follows redirects across
 * sites, submits self-submitting forms, and signs in whenever an application redirects to the sign-in page. It
 * confirms that a device code is the user's own (RFC 8628).
 */
export interface Browser {
  /**
   * Opens a URL or posts a form to it. Resolves with the final page, which is the sign-in page after a denied
   * sign-in. The application that the portal redirects to needn't run: the page then has its URL and the status 0.
   * Rejects if any other site doesn't respond.
   */
  open(address: string | URL, form?: Readonly<Record<string, string>>): Promise<Page>;
}

/** The portal functions a browser needs. */
export interface BrowsedPortal {
  url: string;
  approve(loginId: string, answer: { as: string }): Promise<unknown>;
  deny(loginId: string, answer: { as: string }): Promise<unknown>;
}

/** Maximum number of redirects and form submissions. No sign-in needs as many. */
const MOST_STEPS = 30;

export const BROWSER_OPTIONS: Options<keyof BrowserOptions> = {
  as: ['string'],
  answer: ['string'],
  stopsAtApplication: ['boolean'],
};

/** @param labToken token of the portal's lab, if it requires one */
export function createBrowser(portal: BrowsedPortal, options: BrowserOptions = {}, labToken?: string): Browser {
  requireOptions('portal.browser', options, BROWSER_OPTIONS);
  const { as, answer = 'approve', stopsAtApplication = false } = options;
  if (as === undefined && options.answer !== undefined) {
    throw new TypeError('The answer option of portal.browser requires as, the user who answers');
  }
  if (answer !== 'approve' && answer !== 'deny') {
    throw new TypeError(`The answer option of portal.browser must be approve or deny, not ${String(answer)}`);
  }
  const jar = createCookieJar();
  const caller = (headers: Record<string, string>) =>
    createPortalCall({
      baseUrl: portal.url,
      headers,
      fetch: (address, { method, headers, body }) =>
        withCookies(new URL(address), headers, (all) => fetch(address, { method, headers: all, body: body ?? null })),
    });

  async function withCookies(
    url: URL,
    headers: Record<string, string>,
    send: (headers: Record<string, string>) => Promise<Response>,
  ): Promise<Response> {
    const cookie = jar.headerFor(url);
    const response = await send({ ...headers, ...(cookie && { cookie }) });
    jar.keep(url, response);
    return response;
  }

  const call = caller({});
  // No policy answers the sign-ins that this browser starts, because it answers them itself.
  const begin = caller({ 'x-lab-policies': 'off', ...(labToken !== undefined && { 'x-lab-token': labToken }) });

  const browser: Browser = {
    async open(address, form) {
      const portalOrigin = new URL(portal.url).origin;
      let next: Step = { url: urlOf(address, portal.url), form };
      let isAtPortal = false;
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const { url, form: fields } = next;
        const { headers, ...request } = requestFor(next);
        // The portal redirects only to registered URLs.
        const isApplication = step > 0 && isAtPortal && url.origin !== portalOrigin;
        isAtPortal = url.origin === portalOrigin;
        const stopped = { url, status: 0, headers: new Headers(), text: '', ...(fields && { form: fields }) };
        if (isApplication && stopsAtApplication) return stopped;
        const response = await withCookies(url, headers, (all) => navigate(url, { ...request, headers: all })).catch(
          (failure: unknown) => {
            if (isApplication && failure instanceof Unreachable) return undefined;
            throw failure;
          },
        );
        if (!response) return stopped;
        const redirect = response.headers.get('location');
        const text = await response.text();
        const found =
          redirect === null
            ? (postedBy(text, url) ?? (as === undefined ? undefined : confirmed(portal, text, url)))
            : { url: new URL(redirect, url) };
        if (found) {
          next = found;
          continue;
        }
        const back = as === undefined ? undefined : await signIn({ portal, call, begin, as, answer }, url);
        if (!back) return { ...stopped, status: response.status, headers: response.headers, text };
        next = { url: back };
      }
      throw new Error(`Too many redirects at ${next.url}.`);
    },
  };
  return limitArguments('browser', browser, { open: 2 });
}

/** Rejects a missing URL, which JavaScript would turn into the page `/undefined`. @throws TypeError */
function urlOf(address: string | URL | undefined, base: string): URL {
  const url = address === undefined || address === null ? null : URL.parse(String(address), base);
  if (!url) throw new TypeError(`browser.open needs a URL, e.g. /acme/sign-in, not ${String(address)}`);
  return url;
}

interface Step {
  url: URL;
  form?: Readonly<Record<string, string>> | undefined;
}

function requestFor({ form }: Step) {
  const headers = { accept: 'text/html,*/*;q=0.8' };
  if (!form) return { method: 'GET', headers };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', headers: { ...headers, ...type }, body: new URLSearchParams(form).toString() };
}

interface SigningIn {
  portal: BrowsedPortal;
  call: PortalCall;
  /** Starts a sign-in that no policy answers. */
  begin: PortalCall;
  as: string;
  answer: 'approve' | 'deny';
}

/**
 * Signs in on an application's sign-in page.
 * @returns the URL that leads back to the application; undefined on any other page or if the sign-in is denied
 */
async function signIn({ portal, call, begin, as, answer }: SigningIn, page: URL): Promise<URL | undefined> {
  const appLoginId = page.searchParams.get('app');
  const [, orgCode = '', last] = page.pathname.split('/');
  if (page.origin !== new URL(portal.url).origin || last !== 'sign-in' || appLoginId === null) return undefined;
  // This browser isn't remembered and can't prompt, so it returns immediately, as the sign-in page would.
  if (page.searchParams.get('passive') === 'saml') return new URL(`/saml/${orgCode}/continue?id=${appLoginId}`, page);
  const { loginId = '' } = await begin(contract.login, { body: { orgCode, mode: 'QID', appLoginId } });
  await portal[answer](loginId, { as });
  const { exchangeToken } = await call(contract.loginState, { params: { loginId } });
  if (exchangeToken === undefined) return undefined;
  const { redirectTo } = await call(contract.completeAppLogin, {
    params: { appLoginId },
    body: { loginId, exchangeToken },
  });
  return new URL(redirectTo, page);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (html: string) =>
  html.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(decimal ?? `0x${hex}`)),
  );
const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return value ? plain(value[1] ?? value[2] ?? '') : undefined;
};

/** Returns the form that a page submits automatically, as in SAML's POST binding and OpenID's `form_post`. */
const postedBy = (html: string, page: URL): Step | undefined =>
  /\.submit\(\)/.test(html) ? formIn(html, page) : undefined;

/** Confirms to the portal that the device code entered is for the user's own device. */
function confirmed(portal: BrowsedPortal, html: string, page: URL): Step | undefined {
  const isAsked = page.origin === new URL(portal.url).origin && /^\/oidc\/[^/]+\/device$/.test(page.pathname);
  const form = isAsked && html.includes('name="confirm"') ? formIn(html, page) : undefined;
  return form && { ...form, form: { ...form.form, confirm: 'yes' } };
}

function formIn(html: string, page: URL): Step | undefined {
  const form = /<form\s[^>]*method=["']?post["']?[^>]*>/i.exec(html)?.[0];
  if (form === undefined) return undefined;
  const inputs = [...html.matchAll(/<input\s[^>]*>/gi)].map(([tag]) => [
    attribute(tag, 'name'),
    attribute(tag, 'value'),
  ]);
  const named = inputs.filter(([name]) => name !== undefined);
  return { url: new URL(attribute(form, 'action') ?? '', page), form: Object.fromEntries(named) };
}
