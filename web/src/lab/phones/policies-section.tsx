import { Button, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  clearPolicies,
  type InputOf,
  type PhonePolicy,
  type PolicyMatch,
  policyMatch,
  readPolicies,
  readUnused,
} from '@orchestrate/shared';
import { Workflow } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, LineList } from '../line-list.tsx';
import { PolicyForm } from './policy-form.tsx';
import { matchText, policyText } from './policy-text.ts';
import { KINDS, removalQueryFor } from './words.ts';

const ANYONE = { email: '', zid: '', org: '', kind: '' };
const kinds = policyMatch.shape.kind.unwrap().options;

/** Section for the policies of all simulated phones and the answers that the phones sent automatically. */
export function PoliciesSection() {
  const { data, refetch } = useLiveRead(readPolicies, {});
  const { policies = [], answered = [] } = data ?? {};
  const { data: unused } = useLiveRead(readUnused, {});
  // A match has at most one policy.
  const unusedMatches = new Set(unused?.policies.map(({ match }) => JSON.stringify(match)));
  const usage = ({ match }: PhonePolicy) => unusedMatches.has(JSON.stringify(match)) && t`Not used yet`;
  const [chosen, setChosen] = useState(ANYONE);
  const { run, refusal } = useWrite(clearPolicies);
  const remove = async (query: InputOf<typeof clearPolicies>['query']) => {
    await run({ query }).catch(() => undefined);
    await refetch();
  };
  const { email, zid, org, kind } = chosen;
  const match: PolicyMatch = {
    ...(email && { email }),
    ...(zid && { zid }),
    ...(org && { org }),
    ...(kind && { kind: kinds.find((one) => one === kind) }),
  };
  const bind = (name: keyof typeof ANYONE) => ({
    value: chosen[name],
    onChange: ({ target }: { target: { value: string } }) => setChosen({ ...chosen, [name]: target.value }),
  });
  const text = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <PageHeader title={t`Policies`} description={t`How simulated phones answer requests automatically.`} />
      <Section
        title={t`Policies`}
        isFlush
        aside={
          policies.length > 0 && (
            <Button variant="ghost" size="sm" onClick={() => void remove({})}>
              {t`Remove all policies`}
            </Button>
          )
        }
      >
        {policies.length > 0 ? (
          <LineList
            label={t`Policies`}
            lines={policies.map((policy) => ({
              what: policyText(policy),
              how: joinWithDots(t`For ${matchText(policy)}`, usage(policy)),
              remove: {
                label: t`Remove policy for ${matchText(policy)}`,
                onClick: () => void remove(removalQueryFor(policy)),
              },
            }))}
          />
        ) : (
          <EmptyList
            isRead={data !== undefined}
            icon={Workflow}
            title={t`No policies yet`}
            description={t`Requests wait until someone answers. Set a policy to let phones answer automatically.`}
          />
        )}
        {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
      </Section>
      <Section title={t`New policy`}>
        <PolicyForm
          match={match}
          present={undefined}
          onSet={() => void refetch()}
          matchFields={(errors) => (
            <>
              <FormField label={t`Person`} error={errors.email}>
                <Input placeholder={t`anyone`} {...text} {...bind('email')} />
              </FormField>
              <FormField label={t`Organisation code`} error={errors.org}>
                <Input placeholder={t`any`} {...text} {...bind('org')} />
              </FormField>
              <FormField label={t`Device (zid)`} error={errors.zid}>
                <Input placeholder={t`any`} {...text} {...bind('zid')} />
              </FormField>
              <FormField label={t`Request kind`}>
                <Select {...bind('kind')}>
                  <option value="">{t`any`}</option>
                  {kinds.map((one) => (
                    <option key={one} value={one}>
                      {KINDS[one]}
                    </option>
                  ))}
                </Select>
              </FormField>
            </>
          )}
        />
      </Section>
      {answered.length > 0 && (
        <Section
          title={t`Automatic answers`}
          isFlush
          aside={
            <Text textStyle="sm" color="fg.muted">
              {answered.length}
            </Text>
          }
        >
          <LineList
            label={t`Automatic answers`}
            lines={answered.map(({ at, policy, result, kind: requestKind, zid: device }) => ({
              what: `${policyText(policy)}: ${result.message}`,
              how: t`${formatDateTimeSeconds(at)} · ${isKind(requestKind) ? KINDS[requestKind] : requestKind} · device ${device}`,
            }))}
          />
        </Section>
      )}
    </>
  );
}

const isKind = (kind: string): kind is keyof typeof KINDS => kind in KINDS;
