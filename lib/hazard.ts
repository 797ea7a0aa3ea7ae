/** The whole deployment: its stacks, and the rule packs that every synthesis must pass. */

import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { DataStack } from './data-stack.ts'
import { type FunctionCode, ServiceStack } from './service-stack.ts'
import type { Settings } from './settings.ts'

export function addHazard(
  app: App,
  settings: Settings,
  code: FunctionCode,
): { data: DataStack; service: ServiceStack } {
  const data = new DataStack(app, 'Data', settings)
  const service = new ServiceStack(app, 'Service', settings, data, code)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  return { data, service }
}
