import type { Area, EndpointDefinition } from '@orchestrate/shared';

/** The areas of the reference, in its order, each in a sentence. */
export const AREAS: Record<Area, string> = {
  'Session and profile': 'Signing in with a code or a push, exchanging it for tokens, renewing them, signing out.',
  People: 'The people of an organisation: finding, inviting, changing, pausing and deleting them.',
  Activation: 'The codes and links with which a person’s first device is registered.',
  Devices: 'Adding, naming, testing, pausing and removing devices, and reporting one lost.',
  Settings: 'How an organisation looks, who may sign in from where, and how.',
  Roles: 'Which permissions there are, and the roles that bundle them.',
  Applications: 'The applications that people sign in to, by OpenID Connect or SAML.',
  FAQ: 'Questions and answers, in categories and subcategories.',
  Activity: 'Who changed what, and who signed in.',
  Webhooks: 'Where the events of an organisation are sent, and what became of each.',
  Authenticator:
    'What a device calls. A registered device needs no token: its signature is in the body, as a compact JWS (`jws`) with the header `{ alg: "ES256", kid: zid, typ: "device+jwt" }` and the claims `aud` (the organisation), `iat`, `jti` and the fields of the command. A new key proves itself in `proof`.',
  Lab: 'The controls of the simulation: people, phones, time, mail, faults, spaces. Absent with `LAB=off`.',
  Service: 'Whether the portal is there, and in good health.',
};

const ORDER = Object.keys(AREAS);

/** The areas that have an endpoint, in order. */
export function areasOf(endpoints: readonly EndpointDefinition[]): Area[] {
  return [...new Set(endpoints.map(({ area }) => area))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}
