import { getSummary } from '@orchestrate/shared';
import { startOfDay } from 'date-fns';
import { today } from '#adapters/clock.ts';
import { useRead } from '#lib/api/use-read.ts';

/** Reads the organisation's figures of today, for users who can search members. */
export const useSummary = () => useRead(getSummary, { query: { since: startOfDay(today()).toISOString() } });
