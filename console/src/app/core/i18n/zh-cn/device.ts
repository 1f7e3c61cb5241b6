import type { Translated } from '../message';
import type { deviceEnglish } from '../en/device';

export const deviceChinese: Translated<typeof deviceEnglish> = {
  'device.title': '登录工具',
  'device.text': '请输入工具显示的代码；如果已自动填入，请核对是否一致。',
  'device.code': '代码',
  'device.continue': '继续',
  'device.asks': '{tool} 请求以你的名义使用模型。',
  'device.device': '设备',
  'device.address': '地址',
  'device.asked': '请求时间',
  'device.warning':
    '仅当你本人在自己的设备上发起了此次登录，并且工具显示相同的代码时才继续。否则请拒绝：可能有人想花你的钱。',
  'device.account': '账户',
  'device.allow': '允许',
  'device.deny': '拒绝',
  'device.allowed': '工具已登录。请回到工具；可以关闭此页面。',
  'device.denied': '登录已被拒绝，工具没有获得任何权限。',
  'device.toKeys': '已登录的工具列在 API 密钥中',
  'device.on': '{place} 上的 {tool}',
  'device.loggedInFrom': '从 {address} 登录',
  'device.logOut': '退出登录',
  'device.logOutTitle': '让此工具退出登录？',
  'device.logOutText': '该工具会在一秒内停止工作，并且需要重新登录。它的记录会保留。',
  'device.loggedOut': '{name} 已退出登录。',
  'toolSettings.title': 'Claude Code',
  'toolSettings.intro':
    '成员通过 /login 登录后，其 Claude Code 会采用这些设置，并且每小时获取一次。',
  'toolSettings.json': 'managed-settings.json',
  'toolSettings.hint': '一个 JSON 对象。留空则不设置。所有成员都能读取，请勿填写机密信息。',
  'toolSettings.notJson': '这不是 JSON 对象：{reason}',
  'toolSettings.checksum': '生效中：{checksum}',
  'toolSettings.saved': '已保存。Claude Code 会在一小时内采用。',
};
