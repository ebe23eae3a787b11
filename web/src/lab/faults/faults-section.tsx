import { Button } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { type AnyFault, clearFaults, type FaultMatch, readFaults } from '@orchestrate/shared';
import { Zap } from 'lucide-react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, type Line, LineList } from '../line-list.tsx';
import { FaultForm } from './fault-form.tsx';
import { effectText, timesText } from './fault-text.ts';

/** Request faults: a form, the pending faults and the triggered faults. */
export function FaultsSection() {
  const { data, refetch } = useLiveRead(readFaults, {});
  const clearing = useWrite(clearFaults);
  const { faults = [], fired = [] } = data ?? {};

  const clear = async ({ body: _, ...match }: Partial<FaultMatch> = {}) => {
    // If removing a fault fails because it is no longer pending, it has just been triggered, and the updated list
    // will show that.
    await clearing.run({ query: match }).catch(() => undefined);
    await refetch();
  };
  return (
    <>
      <PageHeader
        title={t`Faults`}
        description={t`Make requests to any portal path fail, hang, disconnect or slow down.`}
      />
      <Section title={t`New fault`}>
        <FaultForm onAdded={() => void refetch()} />
      </Section>
      <Section
        title={t`Pending`}
        isFlush
        aside={
          faults.length + fired.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => void clear()}>
              {t`Remove all faults`}
            </Button>
          )
        }
      >
        {faults.length > 0 ? (
          <LineList
            label={t`Pending faults`}
            isCode
            lines={faults.map((fault) => faultLine(fault, () => void clear(matchOf(fault))))}
          />
        ) : (
          <EmptyList
            isRead={data !== undefined}
            icon={Zap}
            title={t`No pending faults`}
            description={t`The portal answers requests normally. Add a fault to change that.`}
          />
        )}
      </Section>
      {fired.length > 0 && (
        <Section title={t`Triggered`} isFlush>
          <LineList
            label={t`Triggered faults`}
            isCode
            lines={fired.map(({ method, path, at, fault }) => ({
              what: `${method} ${path}`,
              how: joinWithDots(effectText(fault), formatDateTimeSeconds(at)),
            }))}
          />
        </Section>
      )}
    </>
  );
}

/** Returns the match conditions of a fault in long or short form. */
const matchOf = (given: AnyFault): FaultMatch =>
  'match' in given ? given.match : { method: given.method, path: `/api${given.path.replace(/^\/api(?=\/)/, '')}` };

function faultLine(given: AnyFault, onRemove: () => void): Line {
  const { method, path, email, org, client, body } = matchOf(given);
  const what = [method, path].filter(Boolean).join(' ');
  const after = 'after' in given ? given.after : 0;
  const details = [
    `${effectText(given)}, ${timesText(given.times)}`,
    after > 0 && plural(after, { one: 'after # other', other: 'after # others' }),
    email && t`only from ${email}`,
    org && t`only in ${org}`,
    client && t`only from ${client}`,
    body && t`only with ${JSON.stringify(body)}`,
  ].filter(Boolean);
  return { what, how: details.join(', '), remove: { label: t`Remove fault for ${what}`, onClick: onRemove } };
}
