import { declareRoleTests } from './declare-role-tests.ts'

declareRoleTests('public')
declareRoleTests('open')
