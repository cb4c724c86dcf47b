/** The functions of a namespace that begin with `First`, without it. */
type BoundNamespace<First, Namespace> = {
  [Name in keyof Namespace as Namespace[Name] extends (first: First, ...rest: never[]) => unknown
    ? Name
    : never]: Namespace[Name] extends (first: First, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Every namespace of a store, its functions bound to what they begin with: a user's transaction, or the database. */
export type Bound<First, Store> = {
  readonly [Name in keyof Store]: BoundNamespace<First, Store[Name]>;
};

type Functions = Record<string, unknown>;

/** Makes `bind(first)`; a namespace is bound when it is first used. */
export function binderOf<First>() {
  return <Store extends Record<string, object>>(store: Store) => {
    class BoundStore {
      readonly first: First;
      constructor(first: First) {
        this.first = first;
      }
    }
    for (const [name, namespace] of Object.entries(store)) {
      Object.defineProperty(BoundStore.prototype, name, {
        get(this: BoundStore) {
          const bound = bindAll(this.first, namespace as Functions);
          Object.defineProperty(this, name, { value: bound });
          return bound;
        },
      });
    }
    return (first: First) => new BoundStore(first) as unknown as Bound<First, Store>;
  };
}

function bindAll(first: unknown, namespace: Functions): Functions {
  return Object.fromEntries(
    Object.entries(namespace).map(([name, value]) => [
      name,
      typeof value === 'function' ? value.bind(null, first) : value,
    ]),
  );
}
