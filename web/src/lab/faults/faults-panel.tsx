import { Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type AnyFault, addFault, clearFaults, type Fault, fault, type Method, readFaults } from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { useFollowed } from '../lab-news.tsx';

const METHODS: Method[] = ['POST', 'GET', 'PUT', 'DELETE'];

const noFault: Fault = { method: 'POST', path: '', status: 500, times: 1, delayMs: 0 };

const countText = (times: number) => (times === 1 ? 'once' : `${times} times`);

/** What a fault waits for and does, however it was given. */
function wordsOf(given: AnyFault) {
  if (!('match' in given)) return { ...given, where: `${given.method} ${given.path}`, what: String(given.status) };
  const { match, answer, times } = given;
  const { method, path, email, org } = match;
  const where = [method, path, email, org].filter(Boolean).join(' ');
  return { where, what: answer.resultName ?? answer.status ?? Object.keys(answer).join(', '), times };
}

/** Makes the next calls of an endpoint fail, so that error states can be seen. */
export function FaultsPanel() {
  const { data, refetch } = useFollowed(readFaults, {});
  const adding = useWrite(addFault);
  const clearing = useWrite(clearFaults);
  const form = useForm<z.input<typeof fault>, unknown, Fault>({
    resolver: zodResolver(fault),
    mode: 'onTouched',
    defaultValues: noFault,
  });
  const { errors } = form.formState;
  const faults = data?.faults ?? [];

  const add = form.handleSubmit(async (values) => {
    try {
      await adding.run({ body: values });
      form.reset(noFault);
    } catch (failure) {
      form.setError('root', { message: resultText(failure) });
    }
    await refetch();
  });
  const clear = async () => {
    await clearing.run({ query: {} }).catch(() => undefined);
    await refetch();
  };
  return (
    <Section
      title="Injected failures"
      aside={
        faults.length > 0 && (
          <Button variant="ghost" size="sm" disabled={clearing.isPending} onClick={() => void clear()}>
            Forget all
          </Button>
        )
      }
    >
      <Flex direction="column" gap="4">
        {faults.length > 0 && (
          <chakra.ul aria-label="Injected failures" display="flex" flexDirection="column" gap="2" listStyleType="none">
            {faults.map(wordsOf).map(({ where, what, times }, at) => (
              <chakra.li key={at} display="flex" gap="2" justifyContent="space-between" alignItems="baseline">
                <Text textStyle="code" fontSize="sm" overflowWrap="anywhere">
                  {where}
                </Text>
                <Text textStyle="sm" color="fg.muted" flexShrink="0">
                  {what}, {countText(times)}
                </Text>
              </chakra.li>
            ))}
          </chakra.ul>
        )}
        <chakra.form noValidate display="flex" flexDirection="column" gap="3" onSubmit={(event) => void add(event)}>
          <FormField label="Method">
            <Select {...form.register('method')}>
              {METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </Select>
          </FormField>
          <FormField label="Path below /api" error={errors.path?.message}>
            <Input placeholder="/device/manage" autoCapitalize="none" spellCheck={false} {...form.register('path')} />
          </FormField>
          <Flex gap="3">
            <FormField label="HTTP status" error={errors.status?.message}>
              <Input type="number" min={400} max={599} {...form.register('status', { valueAsNumber: true })} />
            </FormField>
            <FormField label="Times" error={errors.times?.message}>
              <Input type="number" min={1} max={1000} {...form.register('times', { valueAsNumber: true })} />
            </FormField>
          </Flex>
          {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
          <Button type="submit" variant="outline" loading={adding.isPending} loadingText="Fail the next call">
            Fail the next call
          </Button>
        </chakra.form>
      </Flex>
    </Section>
  );
}
