import { SECOND } from '@orchestrate/shared';

/** Milliseconds as whole seconds. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / SECOND);
