import { NAME_ID_FORMATS, normalUrl } from '@orchestrate/shared';
import { z } from 'zod';
import { POST_BINDING, UNSPECIFIED_NAME_ID } from '#core/saml-metadata/xml.ts';
import { agreedContext, STEP_UP } from './authn-context.ts';
import type { SamlApplication } from './find-saml-application.ts';
import type { NamedSubject, SamlMessage } from './parse-message.ts';
import { SamlProblem, type SamlStatus, STATUS } from './saml-problem.ts';

/** Request data stored while a user signs in. */
export const signInRequest = z.object({
  /** Assertion consumer service URL that receives the response. */
  destination: z.string(),
  relayState: z.string(),
  /** ID of the request, or '' for an IdP-initiated sign-in. */
  inResponseTo: z.string(),
  nameIdFormat: z.string(),
  /** Authentication context class to declare (see `agreedContext`). */
  contextClass: z.string(),
  /** The only user for whom the assertion can be issued; absent if the request names no user. */
  subject: z.object({ nameId: z.string(), format: z.string() }).optional(),
  /** True if the user must not be prompted: the sign-in fails unless the browser is remembered. */
  isPassive: z.boolean().default(false),
  /** ID of a test sign-in that receives the response instead of the service provider (decision 177), or ''. */
  tryId: z.string().default(''),
});
export type SignInRequest = z.output<typeof signInRequest>;

export interface SignInPlan {
  request: SignInRequest;
  needsStepUp: boolean;
  /** Error status if the request requires something unavailable, so it fails without a sign-in. */
  refusal: SamlStatus | undefined;
}

/**
 * Plans an IdP-initiated sign-in. @param relayState where the application continues, or '' for the configured target
 */
export function planUnsolicitedSignIn({ peer, provider }: SamlApplication, relayState = ''): SignInPlan {
  const request = {
    inResponseTo: '',
    nameIdFormat: formatFor(peer, ''),
    contextClass: '',
    isPassive: false,
    relayState: relayState || provider.redirectUrl,
    tryId: '',
  };
  const destination = defaultConsumer(peer);
  return { request: { ...request, destination }, needsStepUp: false, refusal: undefined };
}

/** Plans the sign-in for an accepted request (SAML 2.0 core §3.4.1). @throws SamlProblem for an unregistered ACS URL */
export function planRequestedSignIn(
  { peer, addresses }: SamlApplication,
  message: SamlMessage,
  relayState: string,
): SignInPlan {
  const { attributes, nameIdPolicy, subject, authnContext } = message;
  const context = agreedContext(authnContext);
  // A remembered browser doesn't prove that the user is present, so it isn't enough for forced authentication or
  // step-up.
  const needsStepUp = isTrue(attributes.get('ForceAuthn')) || context === STEP_UP;
  const isPassive = isTrue(attributes.get('IsPassive'));
  return {
    request: {
      destination: consumerOf(peer, attributes),
      relayState,
      nameIdFormat: formatFor(peer, nameIdPolicy.format),
      tryId: '',
      isPassive,
      inResponseTo: attributes.get('ID') ?? '',
      contextClass: context ?? '',
      ...(subject && { subject: { nameId: subject.nameId, format: subject.format } }),
    },
    needsStepUp,
    refusal:
      refusedForm(message) ??
      refusedName(peer, addresses.entityId, { subject, nameIdPolicy }) ??
      refusalOf(isPassive && needsStepUp, context),
  };
}

/**
 * Returns the error status if a request violates the schema or the profile (SAML 2.0 core §3.4.1, profiles §4.1.4.1).
 * An ambiguous request must never be answered with an assertion.
 */
function refusedForm(message: SamlMessage): SamlStatus | undefined {
  const why = message.schemaProblem ?? formProblem(message);
  return why === undefined ? undefined : schemaViolation(why);
}

function formProblem({ attributes, nameIdPolicy, hasConfirmation }: SamlMessage): string | undefined {
  const booleans = [attributes.get('ForceAuthn'), attributes.get('IsPassive'), nameIdPolicy.allowCreate];
  if (booleans.some((value) => value !== undefined && !BOOLEANS.includes(value)))
    return 'ForceAuthn, IsPassive and AllowCreate must be true, false, 1 or 0';
  if (hasConfirmation) return 'Subject cannot have a SubjectConfirmation';
  const service = attributes.get('AttributeConsumingServiceIndex') ?? '0';
  if (!/^\+?\d{1,9}$/.test(service) || Number(service) > UNSIGNED_SHORT_MAX)
    return `AttributeConsumingServiceIndex must be a number from 0 to ${UNSIGNED_SHORT_MAX}`;
  return undefined;
}

/** Returns the status for a request that violates the schema. @param why a sentence without its full stop */
export const schemaViolation = (why: string): SamlStatus => ({ code: STATUS.requester, message: `${why}.` });

const UNSIGNED_SHORT_MAX = 65_535;

function refusedName(
  { entityId: peer }: Peer,
  ours: string,
  { subject, nameIdPolicy: { format, spNameQualifier } }: Pick<SamlMessage, 'subject' | 'nameIdPolicy'>,
): SamlStatus | undefined {
  if (isForeignSubject(subject, peer, ours)) return { code: STATUS.requester, detail: STATUS.unknownPrincipal };
  // Don't ignore an unsupported policy, because that would violate the request (SAML 2.0 core §3.4.1.1).
  const isPossible = ['', ...NAME_ID_FORMATS].includes(format) && ['', peer].includes(spNameQualifier);
  return isPossible ? undefined : { code: STATUS.requester, detail: STATUS.invalidNameIdPolicy };
}

/** Returns true if a subject can't be a member because its name ID comes from another provider or is encrypted. */
export function isForeignSubject(subject: NamedSubject | undefined, peer: string, ours: string): boolean {
  if (!subject) return false;
  const { nameId, nameQualifier, spNameQualifier } = subject;
  return nameId === '' || !['', ours].includes(nameQualifier) || !['', peer].includes(spNameQualifier);
}

function refusalOf(isImpossible: boolean, context: string | undefined): SamlStatus | undefined {
  if (context === undefined) return NO_AUTHN_CONTEXT;
  return isImpossible ? NO_PASSIVE : undefined;
}

/** Status if no sign-in can satisfy the requested authentication context. */
export const NO_AUTHN_CONTEXT: SamlStatus = { code: STATUS.responder, detail: STATUS.noAuthnContext };

/** Status if a passive sign-in would need a prompt. */
export const NO_PASSIVE: SamlStatus = { code: STATUS.responder, detail: STATUS.noPassive };

/**
 * Returns the name ID format that the application wants, or '' if it specifies none. Falls back from the request to
 * the application's default, so that a user has the same name ID in IdP-initiated sign-ins.
 */
function formatFor({ nameIdFormats }: Peer, requested: string): string {
  if (requested !== '' && requested !== UNSPECIFIED_NAME_ID) return requested;
  return nameIdFormats.find((format) => NAME_ID_FORMATS.some((known) => known === format)) ?? requested;
}

type Peer = SamlApplication['peer'];

/**
 * Returns the registered ACS URL that a request specifies as a URL or an index. Compares hosts in normalised form,
 * because URLs from metadata are stored unchanged while URLs entered in forms are normalised.
 */
function consumerOf(peer: Peer, attributes: SamlMessage['attributes']): string {
  const url = attributes.get('AssertionConsumerServiceURL');
  const index = attributes.get('AssertionConsumerServiceIndex');
  if ((attributes.get('ProtocolBinding') ?? POST_BINDING) !== POST_BINDING) throw strange(url);
  if (url === undefined && index === undefined) return defaultConsumer(peer);
  const found = peer.consumers.find(
    (consumer) =>
      (url === undefined || normalUrl(consumer.location) === normalUrl(url)) &&
      (index === undefined || String(consumer.index) === index),
  );
  if (!found) throw strange(url);
  return found.location;
}

function defaultConsumer({ consumers: [first] }: Peer): string {
  if (!first) throw strange();
  return first.location;
}

/** Maximum length of a displayed URL. */
const SHOWN_MAX = 500;

const strange = (address = '') => {
  const problem = "The application requested a response at a URL that isn't registered for it";
  const advice = 'If you manage the application, upload its current metadata or correct the URL.';
  return new SamlProblem(address ? `${problem} (${address.slice(0, SHOWN_MAX)}). ${advice}` : `${problem}.`);
};

/** Valid spellings of `xs:boolean`. */
const BOOLEANS: readonly string[] = ['true', 'false', '1', '0'];
const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';
