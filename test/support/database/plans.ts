/** A node of a plan, with the fields that are read here. */
export type Plan = Partial<
  Record<
    | 'Node Type'
    | 'Relation Name'
    | 'Index Name'
    | 'Join Filter'
    | 'Index Cond'
    | 'Recheck Cond'
    | 'Filter',
    string
  >
> & { Plans?: Plan[] };

/**
 * The scans of a plan that look one turn up by its id in another index than the primary key: they read all turns of the user.
 * A scan that may find all of them (OR) is none.
 */
export function scannedForOne(plan: Plan): string[] {
  const { 'Index Name': index, 'Index Cond': condition = '', Filter: filter = '' } = plan;
  const isScan =
    plan['Relation Name'] === 'turns' &&
    index !== 'turns_pkey' &&
    /\bid = (?!ANY)/.test(`${condition} ${filter}`) &&
    !/\bthread_id = /.test(condition) &&
    !/\bOR\b/.test(filter);
  const found = isScan ? [`${condition} ${filter} in ${index}`] : [];
  return [...found, ...(plan.Plans ?? []).flatMap(scannedForOne)];
}

/** The joins of a plan that read all rows of a user in the inner table for each outer row. */
export function comparisonsIn(plan: Plan): string[] {
  const inner = plan.Plans?.[1];
  const read = inner?.['Node Type'] === 'Materialize' ? inner.Plans?.[0] : inner;
  const condition = read?.['Index Cond'] ?? read?.['Recheck Cond'] ?? '';
  // A condition on a column of another table looks rows up; one on parameters reads all rows of the user.
  const isLookedUp = /\b\w+\.\w+\b/.test(condition);
  const found =
    plan['Node Type'] === 'Nested Loop' &&
    plan['Join Filter'] &&
    read?.['Relation Name'] &&
    !isLookedUp
      ? [`${plan['Join Filter']} for all of ${read['Relation Name']} ${condition}`]
      : [];
  return [...found, ...(plan.Plans ?? []).flatMap(comparisonsIn)];
}
