import type { Deps } from '../../deps.ts';

/** A new id. Ids of XML are NCNames, which never begin with a digit; ours may. */
export const samlId = ({ random }: Pick<Deps, 'random'>): string => `_${random.id()}`;

/** Identifies the sign-in to the application, which names it again when it logs the person out. */
export const sessionIndexOf = (appLoginId: string): string => `_${appLoginId}`;

/** The sign-in of a session index; of anybody else's index, one that is not there. */
export const appLoginIdOf = (sessionIndex: string): string => sessionIndex.slice(1);
