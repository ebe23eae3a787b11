import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readQrAddress } from '@orchestrate/shared';
import { requestTitle } from '@orchestrate/shared/authenticator';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCarriedLabToken } from '../lib/session/use-carried-lab-token.ts';
import { paths } from '../paths.ts';
import { BrandScope } from '../ui/brand-scope.tsx';
import { said } from '../words/said.ts';
import { PhoneFrame } from './phone-frame.tsx';
import { PhoneHome } from './phone-home.tsx';
import { PhoneSheets } from './phone-sheets.tsx';
import { RequestSheet } from './request-sheet.tsx';
import { useBrandOf } from './use-brand-of.ts';
import { type Phone, usePhone } from './use-phone.ts';

/** The organisation that somebody has just joined: the portal leads here for the activation. */
const ACTIVATE = 'activate';

/** The simulated authenticator: a phone in a page, or the page of a real phone (contract §14). */
export default function AuthenticatorPage() {
  useCarriedLabToken();
  const phone = usePhone();
  const { requests } = phone;
  const organisation = useBrandOf(phone.accounts[0]?.orgCode ?? '');
  useScannedAddress(phone);
  const arrived = requests.shown?.isOpen ? requests.shown.request.challenge : null;

  return (
    <PhoneFrame>
      <title>{arrived ? `(1) ${said(requestTitle(arrived))}` : t`Authenticator`}</title>
      <BrandScope colour={organisation?.color} display="flex" flexDirection="column" flex="1" minH="0">
        <PhoneHome
          accounts={phone.accounts}
          inbox={phone.inbox}
          waiting={requests.waiting}
          onOpen={phone.open}
          onOpenRequest={(request) => requests.show(request, false)}
        />
        <PhoneSheets phone={phone} />
      </BrandScope>
      {requests.shown && (
        <RequestSheet
          key={requests.shown.request.challenge.challengeId}
          request={requests.shown.request}
          isOpen={requests.shown.isOpen && !phone.isLeaving}
          onClose={requests.close}
          onAnswered={requests.markAnswered}
          isWithdrawn={requests.isWithdrawn}
        />
      )}
      <chakra.p aria-live="assertive" srOnly>
        {arrived && t`New request from ${arrived.orgName}: ${said(requestTitle(arrived))}`}
      </chakra.p>
    </PhoneFrame>
  );
}

/** A phone's camera opens this page with the address of a QR code; it is handled once, and not again on reload. */
function useScannedAddress({ open, openScanned }: Phone): void {
  const { search } = useLocation();
  const navigate = useNavigate();
  const opened = useRef('');
  useEffect(() => {
    if (search === opened.current) return;
    opened.current = search;
    const scanned = readQrAddress(`${window.location.origin}${paths.authenticator}${search}`);
    const orgCode = new URLSearchParams(search).get(ACTIVATE);
    if (!scanned && !orgCode) return;
    void navigate(paths.authenticator, { replace: true });
    if (scanned) void openScanned(scanned);
    else if (orgCode) open({ name: 'activate', orgCode });
  });
}
