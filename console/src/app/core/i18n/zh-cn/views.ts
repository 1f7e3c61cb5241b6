import type { Translated } from '../message';
import type { viewsEnglish } from '../en/views';

export const viewsChinese: Translated<typeof viewsEnglish> = {
  'filter.remove': '移除筛选“{value}”',
  'views.title': '视图',
  'views.none': '还没有保存的视图。请先设置筛选或排序，再命名保存。',
  'views.saveAction': '保存此视图…',
  'views.saveTitle': '保存此视图',
  'views.save': '保存视图',
  'views.name': '名称',
  'views.nameHint': '视图包含列表的筛选和排序，仅你可见。',
  'views.renameAction': '重命名此视图…',
  'views.renameTitle': '重命名视图',
  'views.rename': '重命名',
  'views.update': '将当前筛选保存到“{name}”',
  'views.saved': '视图“{name}”已保存。',
  'views.deleteAction': '删除此视图…',
  'views.deleteTitle': '删除视图“{name}”？',
  'views.deleteText': '列表和当前筛选不受影响。',
};
