import type { Hyperparameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { Careers } from "../../../../core/lanes/baseball/skill/rates.ts"
import {
  makeSkills,
  type PitchedGame,
  type SkillStates,
  type SkillTerms,
  sortByTime,
} from "../../../../core/lanes/baseball/skill/states.ts"

/**
 * The terms of games by id, each from games of the days before its own alone, and the states after the last one.
 *
 * @param games finished ones, in any order
 */
export const walkSkills = (
  games: ReadonlyArray<PitchedGame>,
  careers: Careers,
  parameters: Hyperparameters,
): { readonly terms: ReadonlyMap<string, SkillTerms>; readonly states: SkillStates } => {
  const skills = makeSkills(careers, parameters)
  const terms = new Map<string, SkillTerms>()
  const inOrder = sortByTime(games)
  for (let at = 0; at < inOrder.length; ) {
    const day = inOrder[at]!.day
    let end = at
    for (; inOrder[end]?.day === day; end++) terms.set(inOrder[end]!.id, skills.before(inOrder[end]!))
    for (; at < end; at++) skills.learn(inOrder[at]!)
  }
  return { terms, states: skills.states() }
}
