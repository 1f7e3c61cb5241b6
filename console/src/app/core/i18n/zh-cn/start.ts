import type { Translated } from '../message';
import type { startEnglish } from '../en/start';

export const startChinese: Translated<typeof startEnglish> = {
  'start.title': '快速开始',
  'start.intro': '三步获得第一个回复。',
  'start.progress': '已完成 {done}/{total}',
  'start.state.done': '已完成',
  'start.state.now': '当前步骤',
  'start.state.later': '稍后',
  'start.money': '为账户充值',
  'start.moneyHint': '使用兑换码、银行卡充值或选择套餐。每个请求都按 Token 精确计费。',
  'start.seePlans': '查看套餐',
  'start.key': '创建 API 密钥',
  'start.keyHint': '工具在每个请求中携带密钥。建议为每个工具单独创建，并可设定限额。',
  'start.keyThere': '你已有密钥 {name}。',
  'start.allKeys': '全部密钥',
  'start.request': '发送第一个请求',
  'start.requestHint': '选择你的工具并复制配置，或直接在此试用。请求到达后本页会自动更新。',
  'start.requestDone': '请求已到达。密钥、地址、模型与余额均可正常使用。',
  'start.tryPlayground': '在操练场中试用',
  'tools.choose': '你的工具',
  'tools.inTerminal': '在终端中',
  'tools.install': '安装',
  'tools.noVersion': '地址不带 /v1：该工具会自行添加路径。',
  'tools.keyOnly': '密钥框中只填密钥本身，不要加 “Bearer ”。',
};
