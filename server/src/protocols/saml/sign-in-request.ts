import { NAME_ID_FORMATS } from '@orchestrate/shared';
import { z } from 'zod';
import { POST_BINDING, UNSPECIFIED_NAME_ID } from '../../core/saml-metadata/names.ts';
import { agreedContext, STEP_UP } from './authn-context.ts';
import type { SamlApplication } from './find-saml-application.ts';
import type { NamedSubject, SamlMessage } from './parse-message.ts';
import { SamlProblem, type SamlStatus, STATUS } from './saml-problem.ts';

/** What is stored of a request while a person signs in. */
export const signInRequest = z.object({
  /** The assertion consumer service that receives the answer. */
  destination: z.string(),
  relayState: z.string(),
  /** Id of the request; '' for a sign-in that began here. */
  inResponseTo: z.string(),
  nameIdFormat: z.string(),
  /** See `agreedContext`. */
  contextClass: z.string(),
  /** The person whom the request names, who alone may be told of; absent where it names nobody. */
  subject: z.object({ nameId: z.string(), format: z.string() }).optional(),
  /** Whether nobody may be asked anything: a remembered browser signs in, or nobody does. */
  isPassive: z.boolean().default(false),
  /** Id of a try, which receives the answer in place of the service provider (decision 133); '' otherwise. */
  tryId: z.string().default(''),
});
export type SignInRequest = z.output<typeof signInRequest>;

export interface SignInPlan {
  request: SignInRequest;
  needsStepUp: boolean;
  /** Why nobody needs to sign in: the application requests something that is not available. */
  refusal: SamlStatus | undefined;
}

/**
 * Plans a sign-in that begins here: the RelayState tells the application where to continue. @param relayState '' for
 * the place that the administrator has set
 */
export function planUnasked({ peer, provider }: SamlApplication, relayState = ''): SignInPlan {
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

/**
 * Plans what an accepted request asks for (SAML 2.0 core §3.4.1). @throws SamlProblem for an address that nobody
 * registered
 */
export function planAsked(
  { peer, addresses }: SamlApplication,
  { attributes, nameIdPolicy, subject, authnContext }: SamlMessage,
  relayState: string,
): SignInPlan {
  const context = agreedContext(authnContext);
  // A remembered browser does not prove that the person is there again, so it does not count where step-up is
  // requested.
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
      refusedName(peer, addresses.entityId, { subject, nameIdPolicy }) ?? refusalOf(isPassive && needsStepUp, context),
  };
}

function refusedName(
  { entityId: peer }: Peer,
  ours: string,
  { subject, nameIdPolicy: { format, spNameQualifier } }: Pick<SamlMessage, 'subject' | 'nameIdPolicy'>,
): SamlStatus | undefined {
  if (isForeign(subject, peer, ours)) return { code: STATUS.requester, detail: STATUS.unknownPrincipal };
  // An answer that leaves them out would break what the request says (SAML 2.0 core §3.4.1.1).
  const isPossible = ['', ...NAME_ID_FORMATS].includes(format) && ['', peer].includes(spNameQualifier);
  return isPossible ? undefined : { code: STATUS.requester, detail: STATUS.invalidNameIdPolicy };
}

/**
 * Whether somebody is named whom nobody here can be: a name id of another pair of providers, or one that we cannot
 * read.
 */
function isForeign(subject: NamedSubject | undefined, peer: string, ours: string): boolean {
  if (!subject) return false;
  const { nameId, nameQualifier, spNameQualifier } = subject;
  return nameId === '' || !['', ours].includes(nameQualifier) || !['', peer].includes(spNameQualifier);
}

function refusalOf(isImpossible: boolean, context: string | undefined): SamlStatus | undefined {
  if (context === undefined) return { code: STATUS.responder, detail: STATUS.noAuthnContext };
  return isImpossible ? NO_PASSIVE : undefined;
}

/** Somebody would have to be asked. */
export const NO_PASSIVE: SamlStatus = { code: STATUS.responder, detail: STATUS.noPassive };

/**
 * The format that the application wants, in this request or always: so a person has the same name id in a sign-in that
 * begins here. '' where it does not say.
 */
function formatFor({ nameIdFormats }: Peer, requested: string): string {
  if (requested !== '' && requested !== UNSPECIFIED_NAME_ID) return requested;
  return nameIdFormats.find((format) => NAME_ID_FORMATS.some((known) => known === format)) ?? requested;
}

type Peer = SamlApplication['peer'];

/** Where the answer goes: one of the registered addresses, given as an address or as an index. */
function consumerOf(peer: Peer, attributes: SamlMessage['attributes']): string {
  const url = attributes.get('AssertionConsumerServiceURL');
  const index = attributes.get('AssertionConsumerServiceIndex');
  if ((attributes.get('ProtocolBinding') ?? POST_BINDING) !== POST_BINDING) throw strange();
  if (url === undefined && index === undefined) return defaultConsumer(peer);
  const found = peer.consumers.find(
    (consumer) =>
      (url === undefined || consumer.location === url) && (index === undefined || String(consumer.index) === index),
  );
  if (!found) throw strange();
  return found.location;
}

function defaultConsumer({ consumers: [first] }: Peer): string {
  if (!first) throw strange();
  return first.location;
}

const strange = () =>
  new SamlProblem('The application asks for an answer at an address that is not registered for it.');

/** XML Schema allows two spellings of a boolean. */
const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';
