import type { Area, EndpointDefinition } from '@orchestrate/shared';

/** The areas of the reference, in its order. */
const ORDER: Record<Area, number> = {
  'Session and profile': 1,
  People: 2,
  Activation: 3,
  Devices: 4,
  Settings: 5,
  Roles: 6,
  Applications: 7,
  FAQ: 8,
  Activity: 9,
  Webhooks: 10,
  Authenticator: 11,
  Lab: 12,
  Service: 13,
};

/** The areas that have an endpoint, in order. */
export function areasOf(endpoints: readonly EndpointDefinition[]): Area[] {
  return [...new Set(endpoints.map(({ area }) => area))].sort((a, b) => ORDER[a] - ORDER[b]);
}
