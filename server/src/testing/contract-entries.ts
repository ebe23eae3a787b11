import type { ChannelDefinition, EndpointDefinition } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';

const exported: unknown[] = Object.values(contract);

const isEntry = (value: unknown): value is object => typeof value === 'object' && value !== null && 'access' in value;

/** Every contract endpoint, including the lab's. */
export const ENDPOINTS = exported.filter(
  (value): value is EndpointDefinition => isEntry(value) && 'method' in value && 'reply' in value,
);

/** Every contract channel. */
export const CHANNELS = exported.filter((value): value is ChannelDefinition => isEntry(value) && 'server' in value);
