import { LIMITS } from '@orchestrate/shared';

export const BULK_MAX_OPERATIONS = 1_000;
export const BULK_MAX_BYTES = LIMITS.jsonBodyBytes;
