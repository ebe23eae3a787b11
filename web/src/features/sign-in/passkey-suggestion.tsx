import { approveByPasskey, SECOND } from '@orchestrate/shared';
import { useEffect, useEffectEvent } from 'react';
import useSWRImmutable from 'swr/immutable';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { cancelPasskey, suggestPasskey, suggestsPasskeys } from '#lib/session/passkey-ceremony.ts';
import type { StartedSignIn } from './pending-sign-in.ts';
import { useStartedSignIn } from './use-sign-in.ts';

interface PasskeySuggestionProps {
  orgCode: string;
  /** Called after the user has picked a passkey and thereby approved this sign-in. */
  onApproved: (started: StartedSignIn) => void;
  /** Called if the server refuses the chosen passkey. */
  onRefused: (refusal: ApiRefusal) => void;
}

/** Suggests passkeys in the name field's autofill if the browser supports it. Renders nothing. */
export default function PasskeySuggestion(props: PasskeySuggestionProps) {
  const { data: isPossible } = useSWRImmutable('suggests passkeys', suggestsPasskeys);
  return isPossible ? <Suggestion {...props} /> : null;
}

function Suggestion({ orgCode, ...props }: PasskeySuggestionProps) {
  const { started, renew } = useStartedSignIn(orgCode, 'WEBAUTHN');
  const onRenew = useEffectEvent(renew);
  const onApproved = useEffectEvent(props.onApproved);
  const onRefused = useEffectEvent(props.onRefused);

  useEffect(() => {
    if (!started?.passkey) return;
    const { loginId, passkey, idTimeout } = started;
    let isLeft = false;
    const approve = async () => {
      const credential = await suggestPasskey(passkey);
      if (isLeft) return;
      await call(approveByPasskey, { body: { loginId, credential } });
      if (!isLeft) onApproved(started);
    };
    approve().catch((reason: unknown) => {
      // Ignore errors from the browser, e.g. if it gives up. The user hasn't picked a passkey, so there is nothing to
      // report.
      if (isLeft || !(reason instanceof ApiRefusal) || !reason.resultName) return;
      onRefused(reason);
      onRenew();
    });
    const renewal = setTimeout(() => onRenew(), idTimeout * SECOND);
    return () => {
      isLeft = true;
      clearTimeout(renewal);
      cancelPasskey();
    };
  }, [started]);
  return null;
}
