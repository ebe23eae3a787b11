import { t } from '@lingui/core/macro';
import type { Confirmation, VirtualDevice } from '@orchestrate/shared';
import { codeOf } from '@orchestrate/shared';
import { type DeviceState, deviceOfVirtual, type Pairing, type Scanned } from '@orchestrate/shared/authenticator';
import { useRef, useState } from 'react';
import { confirmationText } from '#lib/session/use-approval-state.ts';
import { forgetAnswersOf } from '../answered-requests.tsx';
import type { PhoneSheet, ScannedCode } from '../phone-sheet.ts';
import type { OutcomeText } from '../requests/outcome.tsx';
import { refusalText } from '../requests/refusal-text.ts';
import { useInbox, useRequests } from '../requests/use-requests.ts';
import { addAccount, removeAccount, storePairing, usePhoneMemory } from './phone-storage.ts';
import { authenticator } from './this-phone.ts';

interface Shown {
  sheet: PhoneSheet | null;
  isOpen: boolean;
  /** True while the sheet's exit animation is running. */
  isLeaving: boolean;
}

/** Returns the phone's state and actions. */
export function usePhone() {
  const { accounts, pairing } = usePhoneMemory();
  const inbox = useInbox(accounts);
  const requests = useRequests(inbox, accounts);
  const [shown, setShown] = useState<Shown>(() => ({
    sheet: pairing && { name: 'pairing' },
    isOpen: pairing !== null,
    isLeaving: false,
  }));
  /** Code that was scanned before the phone had an account for it. */
  const unanswered = useRef<ScannedCode | null>(null);

  const open = (sheet: PhoneSheet) => setShown({ sheet, isOpen: true, isLeaving: false });
  const close = () => {
    unanswered.current = null;
    if (pairing) storePairing(null);
    setShown((now) => ({ ...now, isOpen: false, isLeaving: now.isOpen }));
  };

  const openCode = async (account: DeviceState, code: string): Promise<void> => {
    const { resultCode, challenge } = await authenticator.resolve(account, code);
    if (resultCode === codeOf('TEST_DEVICE_SUCCESS')) {
      const text = t`The portal received the response from ${account.name}.`;
      return open({ name: 'outcome', outcome: { tone: 'success', title: t`This device works`, text } });
    }
    close();
    requests.show({ challenge, account }, true);
  };

  const answerWith = async (account: DeviceState, { code }: ScannedCode): Promise<void> => {
    open({ name: 'opening' });
    try {
      await openCode(account, code);
    } catch (failure) {
      open({ name: 'outcome', outcome: { tone: 'danger', ...refusalText(failure) } });
    }
  };

  const openScanned = async (scanned: Scanned): Promise<void> => {
    if (scanned.kind === 'typed') return open({ name: 'type' });
    if (scanned.kind === 'add-device') return open({ name: 'pair', orgCode: scanned.orgCode, aid: scanned.aid });
    const code = { orgCode: scanned.orgCode, code: scanned.qidCode };
    const able = accounts.filter(({ orgCode }) => orgCode === scanned.orgCode);
    const [only] = able;
    if (only && able.length === 1) return await answerWith(only, code);
    unanswered.current = able.length === 0 ? code : null;
    open({ name: 'choose', scanned: code });
  };

  const welcome = (account: DeviceState, confirmation?: Confirmation): void => {
    const waiting = unanswered.current;
    addAccount(account);
    if (waiting?.orgCode === account.orgCode) {
      unanswered.current = null;
      void answerWith(account, waiting);
      return;
    }
    const named = `${account.orgName}\n${account.email}`;
    const text = confirmation ? `${named}\n\n${confirmationText(confirmation)}` : named;
    open({ name: 'outcome', outcome: { tone: 'success', title: t`This phone is ready`, text } });
  };

  return {
    accounts,
    pairing,
    inbox,
    requests,
    ...shown,
    open,
    close,
    markGone: () => setShown((now) => ({ ...now, isLeaving: false })),
    openCode,
    openScanned,
    answerWith,
    welcome,
    waitFor: (started: Pairing) => {
      storePairing(started);
      open({ name: 'pairing' });
    },
    finishPairing: (account: DeviceState, confirmation?: Confirmation) => {
      storePairing(null);
      welcome(account, confirmation);
    },
    failPairing: (outcome: OutcomeText) => {
      storePairing(null);
      open({ name: 'outcome', outcome });
    },
    /** Adds a seeded device to the phone. Ignores passkeys, which are never listed. */
    borrow: (virtual: VirtualDevice) => {
      const account = deviceOfVirtual(virtual);
      if (account) welcome(account);
    },
    remove: (zid: string) => {
      removeAccount(zid);
      forgetAnswersOf(zid);
      close();
    },
  };
}

export type Phone = ReturnType<typeof usePhone>;
