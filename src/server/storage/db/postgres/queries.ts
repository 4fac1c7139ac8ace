import {
  AliasNode,
  type BinaryOperationNode,
  type JoinNode,
  Kysely,
  type OperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SelectQueryNode,
} from 'kysely'
import type { QueryResult } from 'pg'
import type { Tables } from '../tables.ts'

/**
 * - A list of values is one parameter, so that the statement's text, and with it its plan, is the same for any length.
 *   Except for a single value: for lists the server estimates ten, and would plan each query for one value again.
 * - A subquery for values becomes an array, so that it runs once. The server would make a join of it, and where its
 *   statistics are stale, as after a large import, run it once for each row.
 * - A left join, as to authors, becomes a lookup for each row. With stale statistics the server would scan the whole
 *   joined table for each row.
 */
class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    if (!OperatorNode.is(operator) || operator.operator !== 'in') super.visitBinaryOperation(node)
    else if (PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length !== 1)
      this.#any(leftOperand, () => this.appendValue([...rightOperand.values]))
    else if (SelectQueryNode.is(rightOperand))
      this.#any(leftOperand, () => {
        this.append('array')
        this.visitNode(rightOperand)
      })
    else super.visitBinaryOperation(node)
  }

  protected override visitJoin(node: JoinNode): void {
    const { joinType, table, on } = node
    if (joinType !== 'LeftJoin' || !on || !AliasNode.is(table)) {
      super.visitJoin(node)
      return
    }
    this.append('left join lateral (select * from ')
    this.visitNode(table)
    this.append(' where ')
    this.visitNode(on.on)
    // Prevents the server from flattening the subquery into an ordinary join.
    this.append(' offset 0) as ')
    this.visitNode(table.alias)
    this.append(' on true')
  }

  #any(operand: OperationNode, array: () => void): void {
    this.visitNode(operand)
    this.append(' = any(')
    array()
    this.append(')')
  }
}

/** Shared by all connections, because `prepared` caches its queries by adapter. */
const adapter = new PostgresAdapter()

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return adapter
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new Compiler()
  }
}

/** Runs each query on its own, by `run`. */
export function createDb(run: (text: string, values: readonly unknown[]) => Promise<QueryResult>): Kysely<Tables> {
  const connect = async () => ({ query: run, release: () => {} })
  // Kysely would also pass cursors, for streams, which we do not use.
  return createPoolDb({ connect, end: async () => {}, options: {} } as unknown as PostgresPool)
}

/** Runs queries and transactions on connections of a pool. */
export const createPoolDb = (pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new Dialect({ pool }) })
