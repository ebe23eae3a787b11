import { INVITE_LIST_MAX, REJECTED_LIST_MAX, visibleText } from '@orchestrate/shared';
import type { FailedList } from './judge-invitee.ts';
import { copyText } from './upload-progress.ts';

export interface Rejection {
  line: number;
  value: string;
  reason: string;
}

/**
 * Maximum length of a listed value, in characters. Longer values are truncated, because they only need to be
 * recognisable.
 */
const VALUE_MAX_LENGTH = 254;

/** Counts results and collects failures in lists whose length is limited, however long the file is. */
export class InviteTally {
  invited = 0;
  created = 0;
  unchanged = 0;
  duplicates = 0;
  rejectedCount = 0;
  readonly #rejected: Rejection[] = [];
  readonly #failed: Record<FailedList, { count: number; emails: Set<string> }> = {
    emailsNotExist: { count: 0, emails: new Set() },
    desktopAppNotEnabled: { count: 0, emails: new Set() },
    mobileAppNotEnabled: { count: 0, emails: new Set() },
  };

  get total(): number {
    const failed = Object.values(this.#failed).reduce((sum, { count }) => sum + count, 0);
    return this.invited + this.unchanged + this.duplicates + this.rejectedCount + failed;
  }

  fail(list: FailedList, email: string): void {
    const { emails } = this.#failed[list];
    this.#failed[list].count += 1;
    // The list is separated by commas, so a comma in an invalid address would split it in two.
    if (emails.size < INVITE_LIST_MAX) emails.add(recognisable(email.replaceAll(',', ' ')));
  }

  reject({ line, value, reason }: Rejection): void {
    this.rejectedCount += 1;
    if (this.#rejected.length < REJECTED_LIST_MAX) this.#rejected.push({ line, value: recognisable(value), reason });
  }

  reply() {
    const { emailsNotExist, desktopAppNotEnabled, mobileAppNotEnabled } = this.#failed;
    return {
      emailsNotExist: listOf(emailsNotExist.emails),
      desktopAppNotEnabled: listOf(desktopAppNotEnabled.emails),
      mobileAppNotEnabled: listOf(mobileAppNotEnabled.emails),
      emailsNotExistCount: emailsNotExist.count,
      desktopAppNotEnabledCount: desktopAppNotEnabled.count,
      mobileAppNotEnabledCount: mobileAppNotEnabled.count,
      invited: this.invited,
      unchanged: this.unchanged,
      duplicates: this.duplicates,
      rejected: this.#rejected,
      rejectedCount: this.rejectedCount,
    };
  }
}

const listOf = (emails: ReadonlySet<string>): string => [...emails].join(',');

const recognisable = (value: string): string => copyText(visibleText(value.slice(0, VALUE_MAX_LENGTH)));
