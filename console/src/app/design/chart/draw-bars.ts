import { BarChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use, type EChartsType } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { axisOf, largestStack } from './axis';
import type { BarData } from './bar-series';
import type { ChartColors } from './chart-colors';

use([BarChart, CanvasRenderer, GridComponent, TooltipComponent]);

export interface BarLook {
  readonly colors: ChartColors;
  readonly font: string;
  readonly format: (value: number) => string;
  readonly formatStep: (value: number, decimals: number) => string;
  readonly whole: boolean;
}

export function makeChart(host: HTMLElement): EChartsType {
  return init(host);
}

/**
 * Draws on a canvas; texts of the tooltip too, because HTML with style attributes is forbidden
 * here.
 */
export function drawBars(chart: EChartsType, { categories, series }: BarData, look: BarLook): void {
  const { colors, font, format } = look;
  const axis = axisOf(largestStack(series), look.whole);
  const label = { color: colors.text, fontFamily: font, fontSize: 12 };
  chart.setOption(
    {
      animation: false,
      color: [...colors.series],
      textStyle: { fontFamily: font },
      grid: { left: 4, right: 8, top: 12, bottom: 4, containLabel: true },
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        confine: true,
        axisPointer: { type: 'shadow', shadowStyle: { color: colors.line, opacity: 0.35 } },
        backgroundColor: colors.surface,
        borderColor: colors.line,
        textStyle: { ...label, color: colors.text },
        valueFormatter: (value: unknown) => format(Number(value)),
      },
      xAxis: {
        type: 'category',
        data: [...categories],
        axisTick: { show: false },
        axisLine: { lineStyle: { color: colors.line } },
        axisLabel: { ...label, hideOverlap: true },
      },
      yAxis: {
        type: 'value',
        min: 0,
        max: axis.max,
        interval: axis.step,
        axisLabel: {
          ...label,
          formatter: (value: number) => look.formatStep(value, axis.decimals),
        },
        splitLine: { lineStyle: { color: colors.line } },
      },
      series: series.map(({ name, values }) => ({
        name,
        type: 'bar',
        stack: 'all',
        barMaxWidth: 28,
        data: [...values],
        itemStyle: { borderRadius: 2 },
      })),
    },
    { notMerge: true },
  );
}
