import { source } from '../../text/pattern.ts';

/** The source of a pattern for diets. It has no groups. */
export const DIETS = source`
  vegan|vegetarian|veggie|pesc[ae]tarian|flexitarian|(?:lacto|ovo)-vegetarian|plant[- ]based|(?:gluten|dairy|lactose
  |sugar|nut)[- ]free|low[- ](?:carb|fodmap|salt|sodium)|fodmap|kosher|halal|keto(?:genic)?|paleo|carnivore
  |raw vegan|fruitarian|macrobiotic|mediterranean|jain|whole30
`;

/** Diets that exclude each other, as in the keys of facts: nobody follows two of them. */
export const EXCLUSIVE_DIETS: ReadonlySet<string> = new Set([
  'vegan',
  'vegetarian',
  'veggie',
  'pescatarian',
  'pescetarian',
  'flexitarian',
  'carnivore',
  'plant_based',
  'fruitarian',
]);
