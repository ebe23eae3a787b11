import { caller } from './caller.ts';
import { deniedAttempt } from './denied-attempt.ts';
import { firstSignIn } from './first-sign-in.ts';
import { lostPhone } from './lost-phone.ts';
import { newColleague } from './new-colleague.ts';
import type { Scene } from './scene.ts';
import { singleSignOn } from './single-sign-on.ts';

/** The guided scenes, in the order of their keys 1 to 6. */
export const SCENES: readonly Scene[] = [firstSignIn, lostPhone, caller, deniedAttempt, newColleague, singleSignOn];
