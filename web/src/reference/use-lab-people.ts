import { readPeople } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';

/** Maximum number of people offered. */
const PEOPLE_SHOWN = 100;
const FIRST = 'super.admin@acme.test';

/**
 * Returns the lab's people, administrators first, and the selected person. `isClosed` is true if the lab isn't
 * available.
 */
export function useLabPeople() {
  const { data, refusal } = useRead(readPeople, { query: { status: 'active', limit: PEOPLE_SHOWN } });
  const [chosen, choose] = useState('');
  const people = (data?.people ?? []).toSorted((a, b) => Number(a.role === 'USER') - Number(b.role === 'USER'));
  const person = people.find(({ suid }) => suid === chosen) ?? people.find(({ email }) => email === FIRST) ?? people[0];
  return { people, person, choose, isClosed: refusal !== undefined };
}
