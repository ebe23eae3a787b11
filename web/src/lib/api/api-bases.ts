import type { Area } from '@orchestrate/shared';

const main: string = import.meta.env.VITE_API_URL ?? '/api';
const server: string = import.meta.env.VITE_SERVER_API_URL ?? '/api';
const identity: string = import.meta.env.VITE_IDENTITY_API_URL ?? '/api';

const others: Partial<Record<Area, string>> = {
  'Session and profile': identity,
  Settings: server,
  Roles: server,
  Applications: server,
  FAQ: server,
};

/** Returns the API base URL for a contract area: `/api`, unless the build configures another URL. */
export const apiBaseOf = (area: Area): string => others[area] ?? main;
