import { failureBudgetRepo, type Tx } from '@orchestrate/db';
import { DAY, HOUR } from '@orchestrate/shared';
import { alertAdministrators } from '../../core/audit/alert-administrators.ts';
import { BUDGETS, secondsUntilRoom } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';
import { type AuditActor, visitorOf } from '../../platform/http/callers/actors.ts';

const { activation: ORDINARY, 'activation-search': STRICT } = BUDGETS;

/** This many wrong pairs in an hour, from anywhere, count as a search. */
const SEARCH_BEGINS_AT = 100;
/**
 * Budget of all networks together. A search is over when an hour's worth is forgotten, so twice as much is remembered.
 */
const TOGETHER = { capacity: 2 * SEARCH_BEGINS_AT, everyMs: HOUR / SEARCH_BEGINS_AT };
const TRUSTED_FOR = DAY;

interface Searched {
  orgCode: string;
  network: string;
}

const ofNetwork = ({ orgCode, network }: Searched) => ({ orgCode, kind: 'activation' as const, subject: network });
const strictOf = ({ orgCode, network }: Searched) => ({
  orgCode,
  kind: 'activation-search' as const,
  subject: network,
});
const ofAll = ({ orgCode }: Searched) => ({ orgCode, kind: 'activation' as const, subject: '*' });

/**
 * Whether somebody is searching for the activation codes of an organisation: more wrong pairs arrive than typing
 * mistakes explain.
 */
function isSearched({ clock }: Deps, tx: Tx, searched: Searched): boolean {
  const now = clock.now();
  return failureBudgetRepo.clearAtOf(tx, ofAll(searched), TOGETHER, now) - now >= SEARCH_BEGINS_AT * TOGETHER.everyMs;
}

/** Seconds until a network may try a pair; 0 if it may now. A network without failures always may. */
export function secondsUntilTry(deps: Deps, tx: Tx, searched: Searched): number {
  const ordinary = secondsUntilRoom(deps, tx, ofNetwork(searched));
  if (ordinary > 0 || !isSearched(deps, tx, searched)) return ordinary;
  const known = failureBudgetRepo.findFailureBudget(tx, ofNetwork(searched));
  if ((known?.trustedUntil ?? 0) > deps.clock.now()) return 0;
  return secondsUntilRoom(deps, tx, strictOf(searched));
}

/** Counts a wrong pair that `actor` has tried; from the hundredth in an hour, the administrators are told. */
export function countWrongPair(deps: Deps, tx: Tx, searched: Searched, actor: AuditActor): void {
  const now = deps.clock.now();
  failureBudgetRepo.spendFailure(tx, ofNetwork(searched), ORDINARY, now);
  failureBudgetRepo.spendFailure(tx, strictOf(searched), STRICT, now);
  failureBudgetRepo.spendFailure(tx, ofAll(searched), TOGETHER, now);
  if (isSearched(deps, tx, searched)) alertOfSearch(deps, tx, { ...actor, orgCode: searched.orgCode });
}

/**
 * A right pair makes up for two wrong ones of its network, or for all of them while an organisation is being searched.
 */
export function countRightPair({ clock }: Deps, tx: Tx, searched: Searched): void {
  const now = clock.now();
  const known = failureBudgetRepo.clearAtOf(tx, ofNetwork(searched), ORDINARY, now);
  const clearAt = Math.max(known - 2 * ORDINARY.everyMs, now);
  failureBudgetRepo.trust(tx, ofNetwork(searched), { clearAt, trustedUntil: now + TRUSTED_FOR });
}

function alertOfSearch(deps: Deps, tx: Tx, actor: AuditActor): void {
  const { orgCode, ip } = actor;
  alertAdministrators(deps, tx, visitorOf(actor, orgCode, ''), {
    action: 'attack.activation-guessing',
    object: { type: 'attack', id: 'activation-guessing', name: 'Activation codes' },
    after: { wrongCodesInAnHour: SEARCH_BEGINS_AT, lastAddress: ip },
    isOngoing: true,
    told: {
      en: {
        subject: 'somebody is guessing activation codes',
        what: `${SEARCH_BEGINS_AT} wrong activation codes have been entered within an hour. Addresses that entered wrong codes are now slowed down; people who enter the right code are not held up.`,
        details: [['Last address', ip]],
        advice:
          'Under Org Settings › Security you can limit the addresses from which people may join. A locked code can be issued again from the page of its member.',
      },
      de: {
        subject: 'Jemand rät Aktivierungscodes',
        what: `Innerhalb einer Stunde wurden ${SEARCH_BEGINS_AT} falsche Aktivierungscodes eingegeben. Adressen, von denen falsche Codes kamen, werden jetzt gebremst; wer den richtigen Code eingibt, wird nicht aufgehalten.`,
        details: [['Letzte Adresse', ip]],
        advice:
          'Unter „Organisation › Sicherheit“ können Sie die Adressen einschränken, von denen aus Personen beitreten dürfen. Einen gesperrten Code können Sie auf der Seite des Mitglieds neu ausstellen.',
      },
    },
  });
}
