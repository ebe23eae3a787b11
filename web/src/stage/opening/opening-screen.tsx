import { Box, Button, chakra, Flex, Grid, Heading, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { DEFAULT_BRAND } from '@orchestrate/shared';
import { Clapperboard } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { BrandScope } from '../../ui/brand-scope.tsx';
import { ColourChoice } from '../../ui/colour-choice.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { BRAND_EDGE } from '../brand-edge.ts';
import { openStage } from './open-stage.ts';
import { OpeningPreview } from './opening-preview.tsx';

const NAME_MAX_LENGTH = 60;

/** The visitor's own name and colour; then a portal of their own is started, with a company in its morning. */
export function OpeningScreen() {
  const [name, setName] = useState('');
  const [colour, setColour] = useState(DEFAULT_BRAND);
  const [isChecked, setIsChecked] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal>();
  const isMissing = name.trim() === '';

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isMissing || isPending) return;
    setIsPending(true);
    setRefusal(undefined);
    try {
      window.location.assign(await openStage({ name: name.trim(), colour }));
    } catch (failure) {
      setIsPending(false);
      if (!(failure instanceof ApiRefusal)) throw failure;
      setRefusal(failure);
    }
  };

  return (
    <BrandScope colour={colour} display="flex" flex="1">
      <title>{t`Stage · Orchestrate`}</title>
      <Grid
        as="main"
        flex="1"
        alignItems="center"
        justifyContent="center"
        gap={{ base: '10', md: '20' }}
        templateColumns={{ base: 'minmax(0, 26rem)', sm: '24rem minmax(0, 34rem)' }}
        px="6"
        py="10"
      >
        <chakra.form noValidate onSubmit={(event) => void submit(event)}>
          <Flex direction="column" gap="7">
            <Flex direction="column" gap="3">
              <Flex align="center" gap="2" color="fg.muted" textStyle="sm" fontWeight="medium">
                <Clapperboard size={16} aria-hidden />
                {t`The stage`}
              </Flex>
              <Heading as="h1" size="2xl">
                {t`See it as your own`}
              </Heading>
              <Text color="fg.muted" textWrap="pretty">
                {t`A browser, a phone and everything that happens between them, on one screen. Six scenes, and each of them really runs, in a portal of its own.`}
              </Text>
            </Flex>
            <FormField
              label={t`Your organisation’s name`}
              error={isChecked && isMissing ? t`This field is required` : undefined}
            >
              <Input
                size="lg"
                autoFocus
                autoComplete="organization"
                maxLength={NAME_MAX_LENGTH}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </FormField>
            <ColourChoice value={colour} onChange={setColour} />
            {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
            <Button
              type="submit"
              size="xl"
              borderColor={BRAND_EDGE}
              loading={isPending}
              loadingText={t`Setting the stage`}
            >
              {t`Open the stage`}
            </Button>
          </Flex>
        </chakra.form>
        <Box hideBelow="sm">
          <OpeningPreview name={name.trim()} />
        </Box>
      </Grid>
    </BrandScope>
  );
}
