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
 *   Not a single value: for lists the server reckons with ten, and would plan each query for one of them anew.
 * - A query for values is made an array: it runs once. By itself the server would make a join of it, and where it knows
 *   too little of the tables, as after a large import, run it once for each of their rows.
 * - What is joined on the left, as authors are, is looked up for each row by itself. The server would rather go through
 *   all of it for each row where it takes it to be a row or none.
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
    // Else the server would take the query apart, and join as it pleases.
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

/** The same for all connections: by it `prepared` knows queries that are built already. */
const adapter = new PostgresAdapter()

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return adapter
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new Compiler()
  }
}

/** Queries that run each by itself, by `run`. */
export function queries(run: (text: string, values: readonly unknown[]) => Promise<QueryResult>): Kysely<Tables> {
  const connect = async () => ({ query: run, release: () => {} })
  // Kysely would pass cursors as well, for streams, which we do not use.
  return queriesOn({ connect, end: async () => {}, options: {} } as unknown as PostgresPool)
}

/** Queries, and transactions, on connections of a pool. */
export const queriesOn = (pool: PostgresPool): Kysely<Tables> => new Kysely<Tables>({ dialect: new Dialect({ pool }) })
