import { getUser, type Member } from '@orchestrate/shared';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { findInterruptedForm } from '#ui/editing/interrupted.ts';
import type { MemberDialogName, MemberDialogProps } from './member-dialog.ts';

const dialogs: Record<MemberDialogName, ComponentType<MemberDialogProps>> = {
  edit: lazyPart(() => import('./edit-user-dialog.tsx')),
  details: lazyPart(() => import('./edit-details-dialog.tsx')),
  codes: lazyPart(() => import('../activation/activation-codes-dialog.tsx')),
  lost: lazyPart(() => import('./lost-device.tsx')),
  access: lazyPart(() => import('./access-dialog.tsx')),
  delete: lazyPart(() => import('./delete-user-dialog.tsx')),
};

interface OpenDialog {
  name: MemberDialogName;
  member: Member;
}

/** Manages the open dialog and its member. Both are retained during the exit animation. */
export function useMemberDialogs() {
  const [requested, setRequested] = useState<OpenDialog | null>(null);
  const interrupted = useInterrupted();
  useEffect(() => {
    if (interrupted) setRequested({ name: 'edit', member: interrupted });
  }, [interrupted]);
  return {
    ...useValueDuringExit(requested),
    ask: (name: MemberDialogName, member: Member) => setRequested({ name, member }),
    close: () => setRequested(null),
  };
}

/** Returns the member whose edit on this page was interrupted when the session ended. */
function useInterrupted(): Member | undefined {
  const [suid] = useState(() => findInterruptedForm('member '));
  const { data } = useRead(getUser, suid ? { query: { suid } } : null);
  const [first, setFirst] = useState<Member>();
  if (data && !first) setFirst(data.profile);
  return first;
}

interface MemberDialogsProps extends Pick<MemberDialogProps, 'onEdited' | 'onDeleted'> {
  dialogs: ReturnType<typeof useMemberDialogs>;
}

export function MemberDialogs({ dialogs: { shown, isOpen, close, forget }, onEdited, onDeleted }: MemberDialogsProps) {
  if (!shown) return null;
  const Dialog = dialogs[shown.name];
  return (
    <Suspense>
      <Dialog
        key={`${shown.name} ${shown.member.suid}`}
        member={shown.member}
        isOpen={isOpen}
        onClose={close}
        onExitComplete={forget}
        onEdited={onEdited}
        onDeleted={onDeleted}
      />
    </Suspense>
  );
}
