import { getSummary } from '@orchestrate/shared';
import { startOfDay } from 'date-fns';
import { today } from '#adapters/clock.ts';
import { useRead } from '#lib/api/use-read.ts';

/** Today's figures of the organisation, for people who may search members. */
export const useSummary = () => useRead(getSummary, { query: { since: startOfDay(today()).toISOString() } });
